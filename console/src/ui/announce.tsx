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
}

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
