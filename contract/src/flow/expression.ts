/** A condition over a process’s fields and facts, as a tree. It reads names and compares; it calls nothing. */
export type Expression =
  | { readonly op: 'value'; readonly value: string | number | boolean | null }
  /** A variable, with parts of it: `applicant.deptId`. A name that is not there is null. */
  | { readonly op: 'name'; readonly path: readonly string[] }
  | { readonly op: 'not' | 'empty'; readonly of: Expression }
  | { readonly op: 'and' | 'or'; readonly of: readonly Expression[] }
  | { readonly op: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly op: '+' | '-' | '*' | '/'; readonly left: Expression; readonly right: Expression }

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='
