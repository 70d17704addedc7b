import { after } from 'node:test'
import { startApp } from '../app.ts'

const PERMISSIONS = ['workspaces', 'tickets', 'users', 'collaborators'].flatMap((name) => [
  `read ${name}`,
  `modify ${name}`,
])

/** The application of the importing test file, a user who owns a workspace, and a user who does not see it. */
export const corvus = await startApp()
after(() => corvus.stop())
export const owner = await corvus.tokenFor(PERMISSIONS)
export const guest = await corvus.tokenFor(PERMISSIONS)
export const guestId: number = (await corvus.call('GET', 'users/self', undefined, guest)).body.data.id
export const hidden: number = (await corvus.call('POST', 'workspaces', { name: 'hidden' }, owner)).body.data.id
