import type { Highs } from 'highs'

/** Loads HiGHS, with its WebAssembly, where a proof is wanted: nothing of it is in memory before. */
export async function loadHighs(): Promise<Highs> {
  // Its types are written for CommonJS, where the default is one level deeper than in the module that is loaded here.
  const { default: load } = (await import('highs')) as unknown as { readonly default: () => Promise<Highs> }
  return load()
}
