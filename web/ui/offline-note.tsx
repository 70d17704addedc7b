import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { Icon } from './icon.tsx'

/** A banner that is shown while the browser is offline. */
export function OfflineNote() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert color="orange" variant="light" mb="md" role="status" icon={<Icon name="warning" />}>
      There is no network. What you see may be old, and nothing can be saved until it is back. Nothing that you typed is
      lost.
    </Alert>
  )
}
