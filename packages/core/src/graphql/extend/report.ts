/** Records a mistake in the definition: its place, the problem and the fix. */
export type Report = (at: string, problem: string, fix: string) => void;
