import { useState } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useScreenClass } from '../../ui/screen.ts'
import { SidePanel } from '../../ui/side-panel.tsx'
import { readStored, writeStored } from '../../ui/stored.ts'
import { useT } from '../../ui/words.ts'
import { DeptTree } from './dept-tree.tsx'

const remembered = 'user-depts-closed'

/** The department that the address names, and how to name another one. */
function useDept(): { chosen: string | null; choose: (id: string | null) => void } {
  const { path, query } = usePlace()
  return {
    chosen: query.get('deptId'),
    choose: (deptId) => setQuery({ deptId, current: null }, { replace: true, path }),
  }
}

/** Left of the list where there is room: the tree of departments, which can be folded away. */
export function DeptPanel() {
  const t = useT()
  const screen = useScreenClass()
  const { chosen, choose } = useDept()
  const [closed, setClosed] = useState(() => readStored<boolean>(remembered) === true)
  if (screen < 2) return null
  const turn = () => {
    writeStored(remembered, !closed)
    setClosed(!closed)
  }
  const label = t(closed ? 'user.showDepts' : 'user.hideDepts')
  return (
    <aside className={closed ? 'dept-panel dept-closed' : 'dept-panel'} aria-label={t('user.depts')}>
      <header>
        {!closed && <h2>{t('user.depts')}</h2>}
        <button type="button" className="tool" aria-label={label} title={label} aria-expanded={!closed} onClick={turn}>
          <Icon name={closed ? 'chevrons-right' : 'chevrons-left'} size={16} />
        </button>
      </header>
      {!closed && <DeptTree chosen={chosen} onChoose={choose} />}
    </aside>
  )
}

/** On small screens a button brings the same tree in from the edge. */
export function DeptButton() {
  const t = useT()
  const screen = useScreenClass()
  const { chosen, choose } = useDept()
  const [open, setOpen] = useState(false)
  if (screen >= 2) return null
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="network" size={16} />
        {t('user.depts')}
      </button>
      {open && (
        <SidePanel label={t('user.depts')} onClose={() => setOpen(false)}>
          <div className="dept-panel dept-inside">
            <header>
              <h2>{t('user.depts')}</h2>
              <button type="button" className="tool" aria-label={t('common.close')} onClick={() => setOpen(false)}>
                <Icon name="x" size={16} />
              </button>
            </header>
            <DeptTree
              chosen={chosen}
              onChoose={(id) => {
                choose(id)
                setOpen(false)
              }}
            />
          </div>
        </SidePanel>
      )}
    </>
  )
}
