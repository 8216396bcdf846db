import { createStore, useStore } from './store.ts'

interface Said {
  text: string
  turn: number
}

const polite = createStore<Said>({ text: '', turn: 0 })
const assertive = createStore<Said>({ text: '', turn: 0 })

/** Says a sentence to assistive technology; the same sentence twice is said twice. */
export function announce(text: string, urgency: 'polite' | 'assertive' = 'polite'): void {
  const region = urgency === 'polite' ? polite : assertive
  region.set((now) => ({ text, turn: now.turn + 1 }))
  // What has been said does not stay to be read again, by then perhaps in another language.
  const { turn } = region.get()
  setTimeout(() => {
    if (region.get().turn === turn) region.set({ text: '', turn })
  }, said)
}

/** How long a sentence stays, in milliseconds: long enough for every screen reader to notice it. */
const said = 1_000

/** The one polite and the one assertive live region of the page. */
export function LiveRegions() {
  const calm = useStore(polite)
  const urgent = useStore(assertive)
  return (
    <>
      <div className="sr-only" role="status">
        <span key={calm.turn}>{calm.text}</span>
      </div>
      <div className="sr-only" role="alert">
        <span key={urgent.turn}>{urgent.text}</span>
      </div>
    </>
  )
}
