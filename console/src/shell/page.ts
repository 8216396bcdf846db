import type { ComponentType } from 'react'

/** Loads a page's code; the same function each time for the same page. */
export type PageLoader = () => Promise<{ default: ComponentType }>

export interface RouteMeta {
  /** false: needs no log-in. */
  isAuth?: boolean
  /** false: never becomes a tab. */
  isTab?: boolean
  /** false: the page is taken down when its tab is left. */
  keepAlive?: boolean
  /** 1: the page alone, without header, sidebar and tabs. */
  fullScreen?: number
  roles?: readonly string[]
}

export interface Route {
  /** May hold parameters: /task/:taskId */
  path: string
  /** Key of the words that name the page; without one it never becomes a tab. */
  label: string
  /** The menu entry it stands for. */
  code?: string
  load: PageLoader
  meta: RouteMeta
}

/** A page chunk that does not arrive in this time counts as failed. */
export const chunkTimeout = 120_000

/** Resolves to the page's component, or rejects when its code cannot be fetched in time. */
export function loadPage(load: PageLoader, timeout: number = chunkTimeout): Promise<ComponentType> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The page did not load within ${timeout / 1000} s`)), timeout)
    load().then(
      (module) => {
        clearTimeout(timer)
        resolve(module.default)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}
