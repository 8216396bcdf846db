import { formWords } from '../../locales/form.ts'
import { addWords } from '../../ui/words.ts'

// The words of the form and of the record, for whoever shows a part of either.
addWords(formWords)
