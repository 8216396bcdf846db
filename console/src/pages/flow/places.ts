import type { FlowTask } from '@data-brain/contract/calls/flow'

type About = Pick<FlowTask, 'processInstanceId' | 'formKey' | 'businessId'>

/** Processes whose requests have pages of their own, by the key of their form. */
const ownPages: ReadonlySet<string> = new Set(['leave'])

/** Whether the request of a process is shown by pages of its own. */
export const hasOwnPages = (formKey: string | null): formKey is string => formKey !== null && ownPages.has(formKey)

/** Whose pages an address belongs to: the key of the form, where a process has pages of its own. */
export function businessOf(path: string): string | null {
  const key = path.split('/')[3] ?? null
  return hasOwnPages(key) ? key : null
}

export const todoPath = '/work/todo'
/** Where it stands what can be started. */
export const startPath = '/work/start'

/** Where a process is started. */
export const startAddress = (formKey: string | null, id: string): string =>
  hasOwnPages(formKey) ? `/work/process/${formKey}/form/${id}` : `/work/process/form/${id}`

/** Where an instance is looked at. */
export const detailAddress = ({ processInstanceId, formKey, businessId }: About): string =>
  hasOwnPages(formKey) && businessId
    ? `/work/process/${formKey}/detail/${processInstanceId}/${businessId}`
    : `/work/process/detail/${processInstanceId}`

/** Where a task is decided on a page of its own. */
export const handleAddress = (taskId: string, { processInstanceId, formKey, businessId }: About): string =>
  hasOwnPages(formKey) && businessId
    ? `/work/process/${formKey}/handle/${taskId}/${processInstanceId}/${businessId}`
    : `/work/process/handle/${taskId}/${processInstanceId}`
