import { useEffect, useState } from 'react'
import { frameWords } from '../../locales/frame.ts'
import { allNodes, forRoles, menuLabel, menuStore, topLabel } from '../../session/menus.ts'
import { useSession } from '../../session/session.ts'
import { Icon } from '../../ui/icon.tsx'
import { setQuery, usePlace } from '../../ui/place.ts'
import { useStore } from '../../ui/store.ts'
import { addWords, useT } from '../../ui/words.ts'
import { ErrorPage } from '../error/index.ts'
import './page.css'

addWords(frameWords)

/** After so long the way around is pointed out: a page that refuses to be framed says nothing to whoever frames it. */
const slowAfter = 10_000

interface Entry {
  readonly label: string
  readonly src: string
}

/** The menu entry of this person that a code names, and what it leads to. */
function useEntry(code: string): Entry | undefined {
  const tops = useStore(menuStore)
  const roles = useSession()?.roles ?? []
  const top = tops.find((each) => each.code === code && each.children.length === 0 && forRoles(each.meta, roles))
  if (top?.path) return { label: topLabel(code), src: top.path }
  const node = allNodes(tops).find((each) => each.code === code && forRoles(each.meta, roles))
  return node?.path ? { label: menuLabel(code), src: node.path } : undefined
}

function Framed({ name, src }: { name: string; src: string }) {
  const t = useT()
  const [waits, setWaits] = useState(true)
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => setSlow(true), slowAfter)
    return () => clearTimeout(timer)
  }, [waits])
  return (
    <div className="page framed">
      <div className="framed-head">
        <h1 tabIndex={-1}>{name}</h1>
        <a className="button" href={src} target="_blank" rel="noopener noreferrer">
          <Icon name="external-link" size={16} />
          {t('frame.newWindow')}
          <span className="sr-only">{t('common.newWindow')}</span>
        </a>
      </div>
      {waits && slow && (
        <p role="status" className="muted">
          {t('frame.slow')}
        </p>
      )}
      <div className="framed-body" aria-busy={waits}>
        {/* Its own scripts and forms, in an origin of its own: it reaches neither this page nor its cookies. */}
        <iframe
          title={name}
          src={src}
          sandbox="allow-scripts allow-forms"
          referrerPolicy="no-referrer"
          onLoad={() => {
            setWaits(false)
            setSlow(false)
          }}
        />
        {waits && <div className="framed-wait" />}
      </div>
    </div>
  )
}

/**
 * The page of a menu entry that leads to another address: that address in a sandboxed frame. What is framed is what the
 * person's own menus say, never what the address line says: a `src` that differs shows that there is no right to it.
 */
export default function FramePage() {
  const t = useT()
  const { path, query } = usePlace()
  const entry = useEntry(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)))
  const asked = query.get('src')
  const name = entry ? t(entry.label) : ''
  const fits = entry !== undefined && (asked === null || asked === entry.src)
  useEffect(() => {
    if (entry && fits) setQuery({ name, src: entry.src }, { replace: true, path })
  }, [entry, fits, name, path])
  return entry && fits ? <Framed name={name} src={entry.src} /> : <ErrorPage code={403} />
}
