import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { Icon } from '../ui/icon.tsx'

/** A banner that is shown while the browser is offline. */
export function OfflineNote() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert color="orange" variant="light" mb="md" role="status" icon={<Icon name="warning" />}>
      You are offline. The data shown may be out of date, and changes cannot be saved until the connection is back. Your
      unsaved input is kept.
    </Alert>
  )
}
