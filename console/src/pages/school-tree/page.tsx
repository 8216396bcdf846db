import { entityOf, school } from '@data-brain/contract'
import { type SchoolTree, schoolTree, setUp } from '@data-brain/contract/calls/school'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useState } from 'react'
import { refresh } from '../../entity/data/index.ts'
import { inSentence } from '../../entity/display/index.ts'
import { ReferenceSelect } from '../../entity/fields/index.ts'
import { LoadFailed } from '../../entity/list/index.ts'
import { call } from '../../http/call.ts'
import { entityWords } from '../../locales/entity.ts'
import { schoolTreeWords } from '../../locales/school-tree.ts'
import { pathOf } from '../../session/paths.ts'
import { useCan } from '../../session/session.ts'
import { TextInput } from '../../ui/form/text-input.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Link, setQuery, usePlace } from '../../ui/place.ts'
import { Segments } from '../../ui/segments.tsx'
import { everyNode, findIn, textIn } from '../../ui/tree/flat.ts'
import { SplitPane } from '../../ui/tree/split.tsx'
import { type TreeColumn, TreeList } from '../../ui/tree/tree-list.tsx'
import { addWords, useLanguage, useT, useWords } from '../../ui/words.ts'
import { nodesOfSpace, nodesOfTeaching, type SchoolNode, type Side } from './nodes.ts'
import './page.css'

addWords({ ...entityWords, ...schoolTreeWords })

const EntityForm = lazyPart(() => import('../../entity/form/form.tsx'))
const sides: readonly Side[] = ['space', 'teaching']
const parts = ['school', 'schoolcampus', 'schoolfloor', 'schoolclassroom', 'schoolclass', 'schoolyear', 'student']
const NONE: Readonly<Record<string, string>> = {}
const still = () => {}
const nameOf = ({ title }: SchoolNode) => title

/** How a school is made up: campuses, buildings, floors and rooms, or grades and classes, each with its figures. */
export default function SchoolTreePage() {
  const t = useT()
  const pick = useWords()
  const { query } = usePlace()
  const first = useQuery({
    queryKey: ['setUp', 'schools'],
    queryFn: ({ signal }) => call(setUp, {}, { signal, silent: true }),
    meta: { reads: parts },
  })
  const schoolId = query.get('school') ?? first.data?.schools[0]?.id ?? null
  const side = sides.find((each) => each === query.get('by')) ?? 'space'
  const found = useQuery({
    queryKey: ['schoolTree', schoolId],
    queryFn: ({ signal }) => call(schoolTree, { schoolId: schoolId ?? '' }, { signal, silent: true }),
    enabled: schoolId !== null,
    retry: false,
    meta: { reads: parts },
  })
  return (
    <div className="page school-tree">
      <div className="page-head">
        <h1 tabIndex={-1}>{t('schoolTree.title')}</h1>
        <ReferenceSelect
          className="school-tree-of"
          to={school.name}
          label={pick(school.label)}
          placeholder={t('schoolTree.choose')}
          value={schoolId}
          names={found.data ? { [found.data.id]: found.data.name } : NONE}
          onChange={(next) => setQuery({ school: typeof next === 'string' ? next : null, node: null })}
        />
        <Segments
          label={t('schoolTree.by')}
          options={sides.map((key) => ({ key, label: t(`schoolTree.${key}`) }))}
          value={side}
          onChange={(by) => setQuery({ by, node: null })}
        />
      </div>
      {found.isError && <LoadFailed problem={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <Sides key={`${found.data.id}|${side}`} tree={found.data} side={side} at={query.get('node')} />}
      {!found.data && !found.isError && (
        <p className="muted" aria-busy={schoolId !== null || first.isPending}>
          {schoolId !== null || first.isPending ? t('entity.searching') : t('schoolTree.choose')}
        </p>
      )}
    </div>
  )
}

interface SidesProps {
  readonly tree: SchoolTree
  readonly side: Side
  readonly at: string | null
}

function Sides({ tree, side, at }: SidesProps) {
  const t = useT()
  const [text, setText] = useState('')
  const roots = useMemo(() => (side === 'space' ? nodesOfSpace(tree, t) : nodesOfTeaching(tree, t)), [tree, side, t])
  const every = useMemo(() => everyNode(roots), [roots]) as SchoolNode[]
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(roots.map(({ id }) => id)))
  const search = useMemo(
    () => (text.trim() ? findIn(roots, ({ title }) => textIn(text.trim(), title)) : null),
    [roots, text],
  )
  const columns = useMemo(
    (): readonly TreeColumn<SchoolNode>[] => [
      { key: 'name', label: t('schoolTree.name'), width: 220, cell: nameOf },
      {
        key: 'figures',
        label: t('schoolTree.figures'),
        width: 140,
        cell: ({ figures }) => <span className="muted">{figures[0]}</span>,
      },
    ],
    [t],
  )
  const chosen = every.find(({ id }) => id === at) ?? null
  const go = (id: string) => setQuery({ node: id })
  return (
    <SplitPane label={t('schoolTree.divider')} name="school-tree" direction="row" share={42}>
      <div className="school-tree-left">
        <TextInput
          value={text}
          aria-label={t('schoolTree.find')}
          placeholder={t('schoolTree.find')}
          onChange={(event) => setText(event.target.value)}
          onClear={() => setText('')}
        />
        <TreeList
          label={t(`schoolTree.${side}`)}
          forest={{
            ...{ roots, nameOf },
            empty: <p>{t(side === 'space' ? 'schoolTree.noSpace' : 'schoolTree.noTeaching')}</p>,
          }}
          columns={columns}
          expansion={{ opened, onOpened: setOpened, found: search }}
          cursor={{ active: at, onActive: go, looked: at }}
          onAct={(_, node) => go(node.id)}
        />
      </div>
      <div className="school-tree-right">
        {chosen ? <Chosen node={chosen} onGo={go} /> : <p className="muted">{t('schoolTree.where')}</p>}
      </div>
    </SplitPane>
  )
}

/** What is chosen: its figures, what stands below it, and what can be put there. */
function Chosen({ node, onGo }: { readonly node: SchoolNode; readonly onGo: (id: string) => void }) {
  const t = useT()
  const pick = useWords()
  const language = useLanguage()
  const can = useCan()
  const queries = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const { record, adds } = node
  const list = record && pathOf(record.entity)
  return (
    <>
      <h2>{node.title}</h2>
      <p>{node.figures.join(' · ')}</p>
      <div className="school-tree-acts">
        {list && <Link to={`${list}?id=${record.id}`}>{t('schoolTree.open')}</Link>}
        {adds && can(`${adds.entity}_add`) && (
          <button type="button" className="button small" onClick={() => setAdding(true)}>
            {t('schoolTree.add', { what: inSentence(pick(entityOf(adds.entity).label), language) })}
          </button>
        )}
      </div>
      {node.children.length > 0 && (
        <ul className="school-tree-below">
          {node.children.map((each) => (
            <li key={each.id}>
              <button type="button" className="link-button" onClick={() => onGo(each.id)}>
                {each.title}
              </button>
              <span className="muted">{each.figures.join(' · ')}</span>
            </li>
          ))}
        </ul>
      )}
      {node.children.length === 0 && adds && <p className="muted">{t('schoolTree.nothing')}</p>}
      {isAdding && adds && (
        <Suspense fallback={null}>
          <EntityForm
            entity={entityOf(adds.entity)}
            open
            id={null}
            preset={adds.preset}
            onClose={() => setAdding(false)}
            onSaved={() => void refresh(queries, adds.entity)}
            onDirty={still}
          />
        </Suspense>
      )}
    </>
  )
}
