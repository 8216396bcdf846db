/* A failure of the server is what no call is for. Every answer of every test of the server passes here. */

const unprovoked: string[] = []

/** Keeps a failure of the server that the call did not say it provokes; the test it came in fails by it. */
export function mustNotFail(called: string, status: number, text: string, fails = false): void {
  if (!fails && (status === 500 || status === 503))
    unprovoked.push(`${called} answers ${status}: ${text.slice(0, 300)}`)
}

/** The failures since the last test, which are then forgotten. */
export const takeFailures = (): string[] => unprovoked.splice(0)
