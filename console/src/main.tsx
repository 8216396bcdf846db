import './shell/base.css'
import './shell/controls.css'
import './shell/overlays.css'
import './shell/frame.css'
import './shell/header.css'
import './shell/sidebar.css'
import './shell/strip.css'
import './shell/page.css'
import './pages/home/home.css'
import { createRoot } from 'react-dom/client'
import { App, startConsole } from './app.tsx'
import { logError } from './shell/log.ts'

startConsole()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root, { onUncaughtError: (error) => logError(error, 'root') }).render(<App />)
