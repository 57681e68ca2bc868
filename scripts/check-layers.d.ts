/** One file that imports another, as paths below `packages/core/src`. */
export interface Import {
    readonly from: string;
    readonly to: string;
}
/** Returns the imports between files of a folder. */
export declare function importsOf(root: string): readonly Import[];
/** Returns what is wrong with an import; undefined if it is allowed. */
export declare function mistakeIn({ from, to }: Import): string | undefined;
