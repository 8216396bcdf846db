/** Written by the build from the entity definitions, so that the shell knows them without carrying them. */
declare module 'virtual:entities' {
  /** Every entity's path under /api, by its name. */
  export const entityPaths: Readonly<Record<string, string>>
  /** Codes of the pages that extensions bring beside the lists of their entities. */
  export const extensionPages: readonly string[]
  /** What can be brought in out of a file: what its rows are called, by the entity. */
  export const importNames: Readonly<Record<string, { readonly zh: string; readonly en: string }>>
}
