import { createStore } from '../ui/store.ts'

/** The build the server runs, once it is another one than this page came from. */
export const newBuildStore = createStore('')
