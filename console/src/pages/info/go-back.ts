import { landing } from '../../session/landing.ts'
import { go } from '../../ui/place.ts'

/** Where somebody was going before something else had to be done first: the address says it. */
export function goBack(): void {
  const back = new URLSearchParams(window.location.search).get('back')
  go(back === null ? '/' : landing(back), { replace: true })
}
