import { useState } from 'react'
import { keysWords } from '../locales/keys.ts'
import { keysOf, printedKeys } from '../ui/keymap.ts'
import { areLettersOff, type Binding, scopesNow } from '../ui/keys.ts'
import { Modal } from '../ui/modal.tsx'
import { addWords, useT } from '../ui/words.ts'
import { closeDialog } from './dialogs.tsx'
import './keys-sheet.css'

addWords(keysWords)

interface Group {
  readonly name: string
  readonly bindings: readonly Pick<Binding, 'keys' | 'label'>[]
}

/** Keys that parts of a page hear themselves, as the patterns of their roles want it. */
const tree: Group = {
  name: 'keys.tree',
  bindings: [
    { keys: ['ArrowUp', 'ArrowDown'], label: 'keys.treeMove' },
    { keys: ['ArrowRight', 'ArrowLeft'], label: 'keys.treeOpen' },
    { keys: ['*'], label: 'keys.treeAll' },
    { keys: ['A…Z'], label: 'keys.treeFind' },
    { keys: ['F2'], label: 'keys.treeRename' },
    { keys: ['Insert'], label: 'keys.treeAdd' },
    { keys: ['Delete'], label: 'keys.treeRemove' },
  ],
}
const dialogs: Group = {
  name: 'keys.dialog',
  bindings: [
    { keys: ['Tab'], label: 'keys.dialogNext' },
    { keys: ['Escape'], label: 'keys.dialogClose' },
  ],
}

/** What can be pressed on the page below, the innermost part first. */
function groupsNow(): Group[] {
  const trees = document.querySelector('#main [role=tree], #main [role=treegrid]')
  const told = scopesNow().map(({ name, bindings }) => ({
    name,
    bindings: bindings.flatMap(({ keys, label }) =>
      label === undefined ? [] : [{ keys: keysOf(keys, label), label }],
    ),
  }))
  // Two lists of one page have the same keys.
  const once = told.filter((group, at) => told.findIndex(({ name }) => name === group.name) === at)
  return [...(trees ? [tree] : []), ...once, dialogs]
}

function Keys({ keys }: { keys: string }) {
  const t = useT()
  return printedKeys(keys).map((chord, at) => (
    <span key={chord.join('+')} className="keys-chord">
      {at > 0 && <span className="muted">{t('keys.then')} </span>}
      {chord.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  ))
}

/** The shortcuts of the page that it stands over. */
export default function KeysSheet() {
  const t = useT()
  const [groups] = useState(groupsNow)
  return (
    <Modal title={t('keys.title')} className="keys" onClose={closeDialog}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section className="keys-scroll" aria-label={t('keys.title')} tabIndex={0} data-focus>
        <div className="keys-columns">
          {groups.map((group) => (
            <section key={group.name} className="keys-group">
              <h3>{t(group.name)}</h3>
              <dl>
                {group.bindings.map(({ keys, label }) => (
                  <div key={keys.join(' | ')}>
                    <dt>
                      {keys.map((each, at) => (
                        <span key={each}>
                          {at > 0 && <span className="muted"> {t('keys.or')} </span>}
                          <Keys keys={each} />
                        </span>
                      ))}
                    </dt>
                    <dd>{t(label ?? '')}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </section>
      <p className="muted keys-note">{t(areLettersOff() ? 'keys.off' : 'keys.note')}</p>
    </Modal>
  )
}
