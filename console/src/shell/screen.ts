export * from '../ui/screen.ts'
