// Style sheets are the bundler's.
declare module "*.css";

declare var MonacoEnvironment: { readonly getWorker: (id: string, label: string) => Worker };
