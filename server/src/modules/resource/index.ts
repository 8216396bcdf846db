import type { Module } from '../module.ts'
import { attachRoutes } from './attach.ts'
import { addAttachRules } from './attach-rules.ts'
import { addOssRules, ossRoutes } from './oss.ts'

export { mustBeTheirs, putToUse } from './attach-rules.ts'
export { type ClearedFiles, clearBytes, dropFolder, onItsWay } from './clear-files.ts'
export { freshLink, idOfLink, linkOf, picturesOf, signedLink, withPictures } from './sign.ts'
export { folderOf } from './storage/folder.ts'
export { bytesOf } from './storage/small.ts'
export { fileSweep, sweepFiles } from './sweep.ts'
export { keepPassing, newSecret, passingStays, readPassing } from './temporary-files.ts'
export { wholeFile } from './whole-file.ts'

/** Places for files, and the files in them. */
export const resource: Module = {
  routes: [...ossRoutes, ...attachRoutes],
  addRules: () => {
    addOssRules()
    addAttachRules()
  },
  serves: { attach: ['remove'], oss: ['submit'] },
}
