import { codeOf, type Entity } from '@data-brain/contract'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type DeleteRefusal, RefusalBanner, removeRows, useEntity } from '../../entity/data/index.ts'
import { type ParentChoice, ParentContext } from '../../entity/fields/index.ts'
import { Count, NoRight } from '../../entity/list/index.ts'
import type { TreeRow } from '../../entity/tree/index.ts'
import { isMissing } from '../../http/client.ts'
import { dictWords } from '../../locales/dict.ts'
import { entityWords } from '../../locales/entity.ts'
import { treeWords } from '../../locales/tree.ts'
import { useCan } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/keymap.ts'
import { useKeys } from '../../ui/keys.ts'
import { setQuery, usePlace, useTab } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { everyNode } from '../../ui/tree/flat.ts'
import { SplitPane } from '../../ui/tree/split.tsx'
import { addWords, useLanguage, useT } from '../../ui/words.ts'
import { type DictRow, type DictWork, useDictionary, useEntries, useSeal } from './calls.ts'
import { Entries } from './entries.tsx'
import { dictionaryParts, entryParts } from './forms.tsx'
import { Parents } from './parents.tsx'
import '../../ui/table/menu.css'
import '../../entity/list/page.css'
import './page.css'
import { lazyPart } from '../../ui/lazy-part.tsx'

addWords({ ...entityWords, ...treeWords, ...dictWords })

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))

export type Orientation = 'vertical' | 'horizontal'

interface DictPageProps {
  readonly entity: Entity
  readonly orientation: Orientation
  /** Goes to the other layout. */
  readonly layoutSwitch: ReactNode
}

const NO_PRESET = {}
const NO_ROWS: readonly DictRow[] = []
const nameOf = (row: TreeRow) => String(row.dictValue ?? '')
const all = () => true

/** Dictionaries and, of the chosen one, its entries: beside one another or one over the other. */
export function DictPage({ entity, orientation, layoutSwitch }: DictPageProps) {
  const t = useT()
  const language = useLanguage()
  const can = useCan()
  const screen = useScreenClass()
  const { path, query } = usePlace()
  const { active, setDirty } = useTab()
  const client = useEntity(entity)
  const seal = useSeal(entity, client)
  const [total, setTotal] = useState<number>()
  const [refusal, setRefusal] = useState<DeleteRefusal | null>(null)

  const may = useMemo(
    () => ({
      view: can(codeOf(entity, 'view')),
      add: can(codeOf(entity, 'add')),
      edit: can(codeOf(entity, 'edit')),
      remove: can(codeOf(entity, 'delete')),
    }),
    [can, entity],
  )
  const [chosenId, edit, under] = [query.get('dict'), query.get('edit'), query.get('under')]
  const asked = useDictionary(entity, may.view ? chosenId : null)
  const dictionary = asked.data
  const entries = useEntries(entity, may.view ? chosenId : null).data ?? NO_ROWS

  const step = useCallback(
    (patch: Record<string, string | null>, replace: boolean) => setQuery(patch, { path, replace }),
    [path],
  )
  const choose = useCallback((id: string) => step({ dict: id }, true), [step])
  const add = useCallback(() => step({ edit: 'new', under: null }, false), [step])
  const addUnder = useCallback((row: DictRow) => step({ edit: 'new', under: row.id }, false), [step])
  const change = useCallback((row: DictRow) => step({ edit: row.id, under: null }, false), [step])
  const close = useCallback(() => step({ edit: null, under: null }, true), [step])
  const remove = useCallback(
    async (rows: readonly DictRow[], done: () => void) => {
      setRefusal(null)
      const named = new Map(rows.map((row) => [row.id, row.dictValue]))
      const result = await removeRows({ entity, client, t, rows: named })
      if (result === null) return
      if ('text' in result) return setRefusal(result)
      done()
      if (chosenId !== null && result.includes(chosenId)) step({ dict: null }, true)
    },
    [entity, client, t, chosenId, step],
  )

  // What is open is a dictionary or an entry; the address alone does not say so of a stored row.
  const inside = useMemo(() => everyNode(entries), [entries])
  const [last, setLast] = useState({ edit, under })
  if (edit !== null && (edit !== last.edit || under !== last.under)) setLast({ edit, under })
  const isEntry = last.edit === 'new' ? last.under !== null : inside.some((row) => row.id === last.edit)
  const parts = useMemo(() => {
    if (!isEntry || !dictionary) return dictionaryParts(entity)
    const parentId = last.under ?? dictionary.id
    const beside = parentId === dictionary.id ? entries : (inside.find((row) => row.id === parentId)?.children ?? [])
    const sort = Math.max(0, ...beside.map((row) => row.sort)) + 1
    return entryParts(entity, { code: dictionary.code, dictId: dictionary.id, parentId, sort })
  }, [isEntry, dictionary, entity, last.under, entries, inside])
  const choice: ParentChoice = useMemo(
    () => ({
      // The input looks at their ids and names alone.
      roots: dictionary ? ([{ ...dictionary, children: entries }] as unknown as TreeRow[]) : [],
      id: last.edit === 'new' ? null : last.edit,
      nameOf,
      mayHold: all,
      none: dictionary?.dictValue ?? '',
    }),
    [dictionary, entries, last.edit],
  )
  const ready = last.edit !== null && (last.edit !== 'new' || last.under === null || dictionary !== undefined)
  const saved = useCallback(
    (row: { readonly id: string }, isNew: boolean) => {
      if (isNew && !isEntry) choose(row.id)
    },
    [isEntry, choose],
  )

  const lineAsked = useRef(false)
  const focusLine = () => {
    const line = lineAsked.current ? document.querySelector<HTMLElement>('.dict-inline input') : null
    if (!line) return
    lineAsked.current = false
    line.focus()
  }
  const addHint = useKeyHint('KeyN', 'keys.add')
  useKeys(active && edit === null, {
    name: 'keys.list',
    bindings: [
      {
        keys: ['Insert'],
        label: 'keys.treeAdd',
        // The line under the entries where the next one is typed; it may still be on its way.
        run: () => {
          lineAsked.current = chosenId !== null
          focusLine()
        },
      },
    ],
  })
  useEffect(focusLine)

  if (!may.view) return <NoRight />
  const title = t(entity.name === 'dict' ? 'dict.system' : 'dict.business')
  const vertical = orientation === 'vertical'
  const work: DictWork = {
    may,
    onEdit: change,
    onRemove: (rows, done) => void remove(rows, done),
    onSeal: (row, value) => void seal(row, value),
  }
  const parentsPane = (
    <div key="parents" className="entity-card">
      <Parents
        entity={entity}
        label={t('dict.parents')}
        chosen={chosenId}
        onChoose={choose}
        onTotal={setTotal}
        onAdd={add}
        work={work}
      />
    </div>
  )
  const entriesPane = dictionary && (
    <div key="entries" className="entity-card">
      <Entries
        key={dictionary.id}
        entity={entity}
        client={client}
        dictionary={dictionary}
        onBack={screen === 0 ? () => step({ dict: null }, true) : undefined}
        onAdd={addUnder}
        work={work}
      />
    </div>
  )
  return (
    <div className="page entity dict-page" data-screen={screen}>
      <header className="entity-head">
        <h1 tabIndex={-1}>{title}</h1>
        {total !== undefined && <Count total={total} />}
        <span className="entity-buttons">
          {screen > 0 && layoutSwitch}
          {may.add && (
            <button type="button" className="button primary" aria-keyshortcuts={addHint.aria} onClick={add}>
              <Icon name="plus" size={16} />
              {t('entity.add', { label: language === 'zh' ? t('dict.one') : t('dict.one').toLowerCase() })}
            </button>
          )}
        </span>
      </header>
      {asked.isError && (
        <div className="banner banner-wrong" role="alert">
          <div>{asked.error.message}</div>
          {isMissing(asked.error) ? (
            <button type="button" className="button" onClick={() => step({ dict: null }, true)}>
              {t('dict.back')}
            </button>
          ) : (
            <button type="button" className="button" onClick={() => void asked.refetch()}>
              {t('entity.retry')}
            </button>
          )}
        </div>
      )}
      {refusal && <RefusalBanner refusal={refusal} onClose={() => setRefusal(null)} />}
      {screen === 0 ? (
        // On a phone one at a time: a list of thirty cards would stand between a dictionary and its entries.
        (entriesPane ?? parentsPane)
      ) : (
        <SplitPane
          key={orientation}
          label={t('dict.divider')}
          name={entity.name}
          direction={vertical ? 'column' : 'row'}
          share={40}
        >
          {[
            parentsPane,
            entriesPane ?? (
              <div key="none" className="entity-card">
                <p className="dict-choose">{t(vertical ? 'dict.chooseAbove' : 'dict.chooseOne')}</p>
              </div>
            ),
          ]}
        </SplitPane>
      )}
      <Suspense fallback={null}>
        {ready && (last.edit === 'new' ? may.add : may.edit) && (
          <ParentContext value={choice}>
            <EntityForm
              key={isEntry ? 'entry' : 'dictionary'}
              entity={entity}
              open={edit !== null}
              id={last.edit === 'new' ? null : last.edit}
              preset={NO_PRESET}
              onClose={close}
              onSaved={saved}
              onDirty={setDirty}
              parts={parts}
            />
          </ParentContext>
        )}
      </Suspense>
    </div>
  )
}
