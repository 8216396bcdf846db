import { menu } from '@data-brain/contract'
import { moveMenu } from '@data-brain/contract/calls/menu'
import type { ShownRow } from '../../entity/data/index.ts'
import { type CellWords, dictText } from '../../entity/display/index.ts'
import type { FormParts } from '../../entity/form/index.ts'
import type { Cells } from '../../entity/list/index.ts'
import { EntityTreePage, type MoveCall, type TreeRow, useWholeTree } from '../../entity/tree/index.ts'
import { call } from '../../http/call.ts'
import { HttpProblem } from '../../http/client.ts'
import { menuWords } from '../../locales/menu.ts'
import { loadSession } from '../../session/load.ts'
import { Icon } from '../../ui/icon.tsx'
import { usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { addWords, useLanguage } from '../../ui/words.ts'
import { IconInput } from './icon-picker.tsx'
import './page.css'

addWords(menuWords)

/** What goes wrong is said by the tree. */
const move: MoveCall = (to) => call(moveMenu, to, { silent: true })

const SEARCHED = ['name', 'nameEn', 'code', 'alias', 'path'] as const
// In English the name shows both languages, in Chinese the English one has a column of its own.
const WIDE = {
  zh: ['nameEn', 'code', 'path', 'isOpen', 'platformOnly', 'sort'],
  en: ['code', 'path', 'isOpen', 'platformOnly', 'sort'],
} as const
const NARROW = { zh: ['nameEn', 'code'], en: ['code'] } as const

const BUTTON = '2'
// The calls of menus answer a number where the definition, and so the form, has a key.
const isButton = (row: TreeRow<typeof menu>) => String(row.category) === BUTTON
const mayHold = (row: TreeRow<typeof menu>) => !isButton(row)

const cells: Cells<typeof menu> = {
  name: (row: ShownRow<typeof menu>, words: CellWords) => (
    <span className="menu-name">
      {isButton(row) ? (
        <span className="tag tag-off">{dictText(words, 'menu_category', BUTTON)}</span>
      ) : (
        typeof row.source === 'string' && row.source !== '' && <Icon name={row.source} size={16} />
      )}
      {words.language === 'en' ? (
        <>
          {String(row.nameEn || row.name)}{' '}
          <span className="menu-other" lang="zh-CN">
            {row.name}
          </span>
        </>
      ) : (
        row.name
      )}
    </span>
  ),
  code: (row) => <code>{row.code}</code>,
  path: (row) => (row.path ? <code>{row.path}</code> : null),
}

const ofPage = { by: 'category', is: (value: unknown) => value !== BUTTON }
const parts: FormParts = {
  inputs: { source: IconInput },
  shown: {
    path: ofPage,
    source: ofPage,
    isOpen: ofPage,
    action: { by: 'category', is: (value) => value === BUTTON },
  },
}

/** The session's own menus and codes; a failure is shown by the client, and the page goes on with the old ones. */
async function readMenus(): Promise<void> {
  try {
    await loadSession()
  } catch (problem) {
    if (!(problem instanceof HttpProblem)) throw problem
  }
}

/** Pages, groups and buttons of the product as a tree; the platform's administrators alone change them. */
export default function MenuPage() {
  const search = usePlace().query.get('keyword') ?? ''
  const source = useWholeTree(menu, search, SEARCHED)
  const language = useLanguage()
  const fields = (useScreenClass() > 1 ? WIDE : NARROW)[language]
  return (
    <EntityTreePage
      entity={menu}
      tree={{
        ...{ source, search, fields, mayHold, move },
        // What was changed may be what stands at the side of this very page.
        onChanged: () => void readMenus(),
      }}
      cells={cells}
      form={{ parts }}
    />
  )
}
