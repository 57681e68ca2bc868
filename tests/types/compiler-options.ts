import ts from "typescript";

/** Compiler options of a strict project, with the workspace's packages from source. */
export const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  customConditions: ["@bifocal/source"],
  skipLibCheck: true,
  types: ["node"],
};
