import './shell/base.css'
import './shell/shell.css'
import { createRoot } from 'react-dom/client'
import { App, startConsole } from './app.tsx'
import { logError } from './shell/log.ts'

startConsole()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root, { onUncaughtError: (error) => logError(error, 'root') }).render(<App />)
