import { useSyncExternalStore } from 'react'

/** A value outside React that components can watch. */
export interface Store<T> {
  get: () => T
  set: (next: T | ((now: T) => T)) => void
  subscribe: (listener: () => void) => () => void
}

/** A small observable value; setting the same value tells nobody. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      const made = typeof next === 'function' ? (next as (now: T) => T)(value) : next
      if (Object.is(made, value)) return
      value = made
      for (const listener of [...listeners]) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The store's value; with `pick`, a part of it (which must be the same object while nothing changed). */
export function useStore<T>(store: Store<T>): T
export function useStore<T, P>(store: Store<T>, pick: (value: T) => P): P
export function useStore<T, P>(store: Store<T>, pick?: (value: T) => P): T | P {
  return useSyncExternalStore(store.subscribe, () => (pick ? pick(store.get()) : store.get()))
}
