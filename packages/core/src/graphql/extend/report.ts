/** Notes a mistake of the definition: where it stands, what is wrong, and what to do. */
export type Report = (at: string, problem: string, fix: string) => void;
