import { Component, type ComponentType, type ErrorInfo, type ReactNode, useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { useT } from '../ui/words.ts'
import { logError } from './log.ts'
import { loadPage, type PageLoader } from './page.ts'

/** What stands in place of a page that failed: what happened, and the way on. */
export function FailedPanel({ title, text, onRetry }: { title: string; text: string; onRetry: () => void }) {
  const t = useT()
  return (
    <div className="page notice-page" role="alert">
      <Icon name="triangle-alert" size={32} />
      <h1 tabIndex={-1}>{title}</h1>
      <p>{text}</p>
      <p className="actions">
        <button type="button" className="button primary" onClick={onRetry}>
          {t('common.retry')}
        </button>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          {t('common.reload')}
        </button>
      </p>
    </div>
  )
}

interface BoundaryState {
  failed: boolean
}

/** Keeps a failing page from taking the shell with it, and logs what failed. */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false }

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    logError(error, info.componentStack ?? '')
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return <BrokenPanel onRetry={() => this.setState({ failed: false })} />
  }
}

function BrokenPanel({ onRetry }: { onRetry: () => void }) {
  const t = useT()
  return <FailedPanel title={t('error.500')} text={t('error.500.text')} onRetry={onRetry} />
}

/** The shape of a page before it is there; shown only when it takes longer than a blink. */
export function PageSkeleton() {
  const t = useT()
  return (
    <div className="page skeleton" aria-busy="true">
      <h1 className="sr-only">{t('common.loading')}</h1>
      <div className="bone title" />
      <div className="bone" />
      <div className="bone tall" />
    </div>
  )
}

const loaded = new Map<PageLoader, ComponentType>()

/** Draws a page whose code may still have to be fetched. `onReady` is told when it stands. */
export function LoadedPage({ load, onReady }: { load: PageLoader; onReady?: () => void }) {
  const t = useT()
  const [turn, setTurn] = useState(0)
  const [Page, setPage] = useState<ComponentType | undefined>(() => loaded.get(load))
  const [failed, setFailed] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` is the retry
  useEffect(() => {
    if (loaded.has(load)) return
    let wanted = true
    setFailed(false)
    loadPage(load).then(
      (page) => {
        loaded.set(load, page)
        if (wanted) setPage(() => page)
      },
      (error: unknown) => {
        logError(error, 'chunk')
        if (wanted) setFailed(true)
      },
    )
    return () => {
      wanted = false
    }
  }, [load, turn])

  useEffect(() => {
    if (Page) onReady?.()
  }, [Page, onReady])

  if (Page) return <Page />
  if (failed) {
    return (
      <FailedPanel title={t('error.chunk')} text={t('error.chunk.text')} onRetry={() => setTurn((now) => now + 1)} />
    )
  }
  return <PageSkeleton />
}
