export { PasswordForm } from './password.tsx'
