import type { Target } from './load.ts'
import { cpuOf, type Loader, type Server } from './servers.ts'

/** One server at one number of connections: medians over the rounds. */
export interface Figures {
  readonly rate: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  /** Processor seconds of the server's process for 1,000 requests. */
  readonly cpu: number
}

export interface Pair {
  readonly product: Figures
  readonly bare: Figures
  /** Requests per processor second, the product's as a part of the bare server's. */
  readonly ratio: number
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Plan {
  readonly rounds: number
  readonly milliseconds: number
  /** Requests of one round at most. */
  readonly requests: number
}

interface Load {
  readonly head: string
  readonly connections: number
  /** What is asked for; called before every round, because rows change. */
  readonly targets: () => Promise<readonly Target[]>
}

/** One round on one server. */
export async function round(loader: Loader, server: Server, load: Load, plan: Omit<Plan, 'rounds'>): Promise<Figures> {
  const targets = await load.targets()
  const before = cpuOf(server)
  const { done, seconds, p50, p95, p99 } = await loader.put({
    ...{ port: server.port, connections: load.connections, head: load.head, targets },
    ...{ milliseconds: plan.milliseconds, requests: plan.requests },
  })
  return { rate: done / seconds, p50, p95, p99, cpu: ((cpuOf(server) - before) / done) * 1000 }
}

const middle = (rounds: readonly Figures[]): Figures => ({
  rate: median(rounds.map((each) => each.rate)),
  p50: median(rounds.map((each) => each.p50)),
  p95: median(rounds.map((each) => each.p95)),
  p99: median(rounds.map((each) => each.p99)),
  cpu: median(rounds.map((each) => each.cpu)),
})

/** Both servers by turns, so that a busy moment of the machine meets both; the first to go changes with the round. */
export async function pair(loader: Loader, product: Server, bare: Server, load: Load, plan: Plan): Promise<Pair> {
  const warm = { milliseconds: Math.min(600, plan.milliseconds), requests: plan.requests }
  const figures = { product: [] as Figures[], bare: [] as Figures[] }
  const servers = { product, bare }
  for (const side of ['product', 'bare'] as const) await round(loader, servers[side], load, warm)
  for (let nth = 0; nth < plan.rounds; nth += 1) {
    const order = nth % 2 === 0 ? (['product', 'bare'] as const) : (['bare', 'product'] as const)
    for (const side of order) figures[side].push(await round(loader, servers[side], load, plan))
  }
  const ratios = figures.product.map((each, nth) => figures.bare[nth]!.cpu / each.cpu)
  return { product: middle(figures.product), bare: middle(figures.bare), ratio: median(ratios) }
}
