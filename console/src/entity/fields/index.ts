export { type ControlProps, controls } from './control.tsx'
export { PictureControl } from './image.tsx'
export { type ParentChoice, ParentContext, ParentInput } from './parent-select.tsx'
export { DictSelect, ReferenceSelect } from './select.tsx'
