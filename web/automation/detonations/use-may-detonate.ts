import { useMay } from '../../api/session.ts'

/** The permissions that submitting samples requires. */
const PERMISSIONS = ['modify detonations', 'read detonations', 'read detonators']

/** Whether the user may submit samples. */
export function useMayDetonate(): boolean {
  const may = useMay()
  return PERMISSIONS.every(may)
}
