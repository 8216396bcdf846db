import type { Field, Words } from './field.ts'

export * from './row.ts'

/**
 * Who owns the rows: `platform` (no tenant: menu, region …), `tenant`, or `school` (tenant, and every row also
 * belongs to one school, so that references inside a school cannot leave it).
 */
export type Ownership = 'platform' | 'tenant' | 'school'

/** What inside a tenant rows may belong to: its entity, and the field by which a row says to which. */
export const owner = { entity: 'school', field: 'schoolId' } as const

/** What each row of an entity belongs to inside its tenant; undefined where they belong to no more than that. */
export const ownerOf = ({ ownership }: Pick<Entity, 'ownership'>): typeof owner | undefined =>
  ownership === owner.entity ? owner : undefined

/** Rows elsewhere that belong to a row: a list can be asked for those that have some, and for those that have none. */
export interface RelatedRows {
  readonly label: Words
  /** The entity whose rows they are, or a table that has none. */
  readonly of: string
  /** The field of theirs that names the row they belong to. */
  readonly by: string
  /** The moment of theirs until which they count: locks that are over are none. */
  readonly until?: string
  /**
   * What belongs is not rows but what they leave open of the national form: of the row itself, of its one row of `of`,
   * and of its first rows of these entities.
   */
  readonly national?: readonly string[]
}

/** Two fields that say one thing and are asked for in one box: the kind of a document and its number. */
export interface FieldPair<N extends string = string> {
  readonly label: Words
  readonly fields: readonly [N, N]
}

/** Rows that hang on a new one and are made along with it, such as a child's guardians. */
export interface AlongPart {
  readonly of: string
  /** The reference that ties them to the new row. */
  readonly by: string
  /** Under this name they travel with the draft of the new row. */
  readonly name: string
  /** What each of them is called in turn; there are no more of them. */
  readonly called: readonly Words[]
  /** The words that ask for another one. */
  readonly another: Words
  readonly fields: readonly string[]
  /** What each of them has without being asked, and what the first has instead. */
  readonly given: Readonly<Record<string, unknown>>
  readonly givenFirst: Readonly<Record<string, unknown>>
  /** The field that counts them in the order in which they were given. */
  readonly counted: string
  /** Fields by which the same person is known in another row; what that row says of `joins` holds here too. */
  readonly knownBy: readonly string[]
  readonly joins: readonly string[]
}

/** What a filter of a view of the page's own says: a text, the first moment of the day so many days ago, or whoever looks. */
export type ViewValue = string | { readonly daysAgo: number } | { readonly me: true }
export type ViewFilters = Readonly<Record<string, ViewValue>>

/** A view that a list brings with it, called by the words `view.<entity>.<key>`. */
export interface DefinedView {
  readonly key: string
  readonly filters?: ViewFilters
  /** The code that it takes beside those of the list. */
  readonly code?: string
  /** How many rows it has stands beside its name. */
  readonly counted?: boolean
  /** Filters by rows of another list: those of `of` that these filters find, in the parameter `as`. */
  readonly through?: { readonly of: string; readonly by: ViewFilters; readonly as: string }
}

/** How a status looks: as usual, as an exception, or as what is over. */
export type Tone = 'good' | 'warn' | 'off'

/** A table beside those of entities, with the columns that its shared rows have; others have their defaults. */
export interface SharedTable {
  readonly table: string
  readonly columns: readonly string[]
}

export interface Entity<F extends Record<string, Field> = Record<string, Field>, N extends string = keyof F & string> {
  /** Name in code, permission codes and menus. */
  readonly name: string
  /** Path under /api. */
  readonly path: string
  /** Table in the database, where it is not the name. */
  readonly table?: string
  readonly label: Words
  /** Chinese name within a sentence, where the label is longer than people say: 该班. */
  readonly short?: string
  /** Chinese measure word with which rows are counted, where it is not 条: 51 名学生. */
  readonly measure?: string
  readonly ownership: Ownership
  /** The field that names a row to a person. */
  readonly title: N
  /** The field that holds the title in English, where rows have one of their own. */
  readonly titleEn?: N
  readonly fields: F
  /** Keys that hold within the tenant. A key with an empty part judges nothing. */
  readonly unique?: readonly (readonly N[])[]
  /**
   * What is said to whoever gives a key that is there already, by the last field of the key, where the usual words (“{field}
   * already exists in the same {others}”) do not say it: a whole sentence.
   */
  readonly taken?: Readonly<Partial<Record<N, Words>>>
  /** Flags of which at most one row may be set per the other fields: one main campus per school. */
  readonly single?: readonly { readonly flag: N; readonly per: readonly N[] }[]
  /**
   * What stands beside the title where a row is chosen or named alone, to tell it apart from others of that title. A
   * reference to what there is only one of says nothing and is left out.
   */
  readonly beside?: readonly N[]
  /** Order of the rows where one is chosen, if not `sort`; `reference.field` is a field of what a reference names. */
  readonly choiceOrder?: readonly string[]
  /** References that narrow the choice beside the entity's own of the same name: grades are those of the school's stages. */
  readonly choiceWithin?: readonly string[]
  /**
   * The entity whose row brings those that belong to it to the front where one is chosen: of people those of the school that
   * a form has. The server says which they are.
   */
  readonly near?: string
  /** Columns of the list page, in order. They, and the system columns, are what a list answers. */
  readonly list: readonly N[]
  /** Of these columns, those that a list does not begin with: somebody asks for them. */
  readonly aside?: readonly N[]
  /** Filters offered over the list, in order. */
  readonly search: readonly N[]
  /** Default order; the first is also an index. Prefix - for descending. */
  readonly sort: string
  /** More fields that a list may be ordered by; each is an index. */
  readonly sorts?: readonly N[]
  /**
   * Fields by whose part, pinyin or initials (personal: whole or last four) a row is found: by the keyword of its list, and
   * by the global search for whoever may view it.
   */
  readonly find?: readonly N[]
  /** Fields that the global search shows of a row, after its title and what stands `beside` it. */
  readonly findBeside?: readonly N[]
  /** The reference whose row is found instead of this one: a guardian's phone finds the child. */
  readonly finds?: N
  /**
   * The reference whose row this row is a part of: where no data scope names this entity itself, its rows are seen as
   * far as those are.
   */
  readonly within?: N
  /**
   * More references that lead to whose data a row holds: where no data scope names this entity itself, its rows are
   * reached as far as those of any of these references are. A row of a school is besides reached as far as the school.
   */
  readonly reachedBy?: readonly N[]
  /**
   * Each row is about one of these references and not the other: whoever is bound for one of them reaches rows of another
   * only where a scope names it, and not all of them.
   */
  readonly reachedApart?: true
  /**
   * The person to whom a row belongs that names in no column whom it is about: whoever works with some pupils only, and
   * has no data scope for this entity, works with the own rows. Of rows that stand in no school it is so too for whoever
   * works with some schools or people only.
   */
  readonly keptBy?: N | 'create_user'
  /**
   * The references to roles that a row is shared with: everybody but an administrator sees the own rows and those shared
   * with a role of theirs, and changes the own ones alone.
   */
  readonly sharedBy?: N
  /** Everybody but an administrator sees and changes the rows alone that they made themselves. */
  readonly ownRows?: true
  /**
   * Rows are parts of what is drafted: whoever may write none of them sees those alone whose reference `by` names a row of
   * one of these statuses, such as the lessons of the published timetable. Without `by` they are what is drafted, and shown by
   * their own status; whoever may write any row of `parts` works at the drafts as well, and sees them.
   */
  readonly drafted?: { readonly by?: N; readonly shown: readonly number[]; readonly parts?: string }
  /** Whoever reads the rows that these are about needs all of these: no data scope narrows them. */
  readonly unscoped?: true
  /**
   * References that are named only to whoever could choose what they point at: a row that is everybody's and says which
   * class has it tells nobody of other classes. What is not shown stays when the row is saved.
   */
  readonly guards?: readonly N[]
  /**
   * Whoever works with some of these rows only has of rows with a keeper (`keptBy`) the own ones: of all such rows, or
   * of those that belong to no school.
   */
  readonly narrowsKept?: 'all' | 'unowned'
  /** Each reading of a row, or of a row that is a part of one (`within`), is kept in the log of readings. */
  readonly logsReads?: boolean
  /**
   * Where a row can be made: `anywhere` that a reference to it is chosen, or `apart`, on a page that asks more than its
   * form. Without it, anywhere if it belongs to something inside the tenant.
   */
  readonly made?: 'anywhere' | 'apart'
  /** Its rows are few and a tree: where they are chosen, all of them are shown, by the call `tree`. */
  readonly choiceTree?: boolean
  /** The row with this flag is the current one, and its days (the first of `ranges`) are a span to filter by: this term. */
  readonly currentSpan?: { readonly flag: N; readonly label: Words }
  /** Views that its list brings with it. */
  readonly views?: readonly DefinedView[]
  /** A row is a file: it is uploaded where it is needed, and nobody chooses one by its name. */
  readonly isFile?: boolean
  /** What may belong to a row, by the name under which a list is asked for it: `<name>_null`, `<name>_notnull`. */
  readonly belongings?: Readonly<Record<string, RelatedRows>>
  /**
   * The rows that the product ships fall into units: by a field, or all of them are of one unit, which other entities may be
   * of too. All tenants share them; one that changes something of a unit, or refers to a row of what is one unit as a
   * whole, holds all of that unit itself from then on. `beside` are tables that no definition describes and that go along.
   */
  readonly shares?: { readonly by: N } | { readonly whole: string; readonly beside?: readonly SharedTable[] }
  /** Written by the server alone: it is listed, shown and exported, and has no other calls. */
  readonly readOnly?: boolean
  /**
   * Headings of the form; fields not named come first, without a heading. A later group without a field that must be
   * filled in, or is listed, begins folded; `folded` says otherwise.
   */
  readonly groups?: readonly { readonly label: Words; readonly fields: readonly N[]; readonly folded?: boolean }[]
  /** Fields that a form shows as one box. */
  readonly pairs?: readonly FieldPair<N>[]
  /** Rows of another entity that are made along with a new one, in the same form and the same transaction. */
  readonly along?: AlongPart
  /** Numbers that count within another field: the form proposes the next one when that field changes. */
  readonly numbers?: readonly { readonly field: N; readonly within: N }[]
  /** What a choice nearly always means for another field, by its keys: the form fills it in, and whoever knows better changes it. */
  readonly proposes?: readonly { readonly field: N; readonly by: N; readonly as: Readonly<Record<string, unknown>> }[]
  /**
   * Meaning of `status`: a dictionary, and what a new row has. With `switchedBy` it is changed by calls of its own alone,
   * which ask for this code: no version that is restored brings it along.
   */
  readonly status?: {
    readonly dict: string
    readonly default: number
    readonly switchedBy?: string
    /** How its keys look, where that is not as usual. */
    readonly tones?: Readonly<Record<string, Tone>>
  }
  /** Days that must come in order: begin on or before end. */
  readonly ranges?: readonly (readonly [N, N])[]
  /** Exactly one of these references must be given. */
  readonly oneOf?: readonly (readonly N[])[]
}

/** Whether a row can be made anywhere that a reference to it is chosen. */
export const isMadeAnywhere = (entity: Pick<Entity, 'made' | 'ownership' | 'readOnly'>): boolean =>
  !entity.readOnly && (entity.made ? entity.made === 'anywhere' : ownerOf(entity) !== undefined)

/** What a definition says that the types of its rows depend on (row.ts), each name by itself. */
interface NamedFields<T, L, G> {
  readonly title: T
  readonly list: readonly L[]
  readonly guards?: readonly G[]
}

/** Declares an entity. It is data: no functions; `JSON.parse(JSON.stringify(e))` equals it. */
export function defineEntity<
  const F extends Record<string, Field>,
  const T extends keyof F & string,
  const L extends keyof F & string,
  const G extends keyof F & string = never,
>(entity: Entity<F> & NamedFields<T, L, G>): Entity<F> & NamedFields<T, L, G> {
  return entity
}

/** The entities that the stamps of a row point at. */
export const stamps = { createUser: 'user', createDept: 'dept', updateUser: 'user' } as const

/** A row's title with what stands beside it, in one text. */
export function titledWith(title: string, beside: readonly string[] | undefined, language: 'zh' | 'en'): string {
  if (!beside || beside.length === 0) return title
  return language === 'zh' ? `${title}（${beside.join('，')}）` : `${title} (${beside.join(', ')})`
}

/** Whether a data scope can narrow the rows of an entity. */
export const isNarrowable = (entity: Entity): boolean => entity.ownership !== 'platform' && !entity.unscoped

/** The permission codes of an entity, in the order in which its buttons stand. */
export const verbs = ['view', 'add', 'edit', 'delete', 'export'] as const
export type Verb = (typeof verbs)[number]
/** The verbs that an entity has. */
export const verbsOf = (entity: Pick<Entity, 'readOnly'>): readonly Verb[] =>
  entity.readOnly ? ['view', 'export'] : verbs
export const codeOf = (entity: Pick<Entity, 'name'>, verb: Verb): string => `${entity.name}_${verb}`
/** The code without which personal fields of an entity are shown masked. */
export const personalCode = (entity: Pick<Entity, 'name'>): string => `${entity.name}_personal`

export const hasPersonal = (entity: Pick<Entity, 'fields'>): boolean =>
  Object.values(entity.fields).some((field) => field.kind === 'personal')
