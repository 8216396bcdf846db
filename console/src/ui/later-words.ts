import { shellMenuWords } from '../locales/shell-menus.ts'
import { specTexts } from '../locales/spec-texts.ts'
import { addWords } from './words.ts'

// The first paint waits for no word that it does not show: these come with whatever says them first.
addWords({ ...shellMenuWords, ...specTexts })
