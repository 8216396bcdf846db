// Loaded before the server (`node --import`): tells whoever started it how long the event loop has been held up since it
// was last asked.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

export interface Lag {
  /** Milliseconds by which a timer of 5 ms came late. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Part of the time in which the loop was at work. */
  readonly busy: number
}

const resolution = 5
const delays = monitorEventLoopDelay({ resolution })
delays.enable()
let since = performance.eventLoopUtilization()

process.on('message', (message) => {
  if (message !== 'lag') return
  const now = performance.eventLoopUtilization()
  const late = (part: number): number => Math.max(0, delays.percentile(part) / 1e6 - resolution)
  const lag: Lag = {
    p50: late(50),
    p99: late(99),
    max: Math.max(0, delays.max / 1e6 - resolution),
    busy: performance.eventLoopUtilization(now, since).utilization,
  }
  process.send?.({ lag })
  delays.reset()
  since = now
})
// The channel alone keeps no server running.
process.channel?.unref()
