import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { Icon } from './icon.tsx'

/** Says so when the machine has lost its network. */
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
