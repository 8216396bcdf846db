import type { Words } from '../field.ts'

/** A name as it stands within a sentence; what is written in capitals stays so. */
const within = (name: string): string => (/^[A-Z][^A-Z]/.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name)

/** The heading of a page on which rows of that name are brought in. */
export const importTitle = ({ zh, en }: Words): Words => ({ zh: `导入${zh}`, en: `Import ${within(en)}` })
