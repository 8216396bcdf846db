export { SendingLinks, ServiceSwitch, useSendingViews } from './parts.tsx'
