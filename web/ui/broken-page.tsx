import { Button, Code, Group } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { PageNotLoaded } from '../lazy-page.ts'
import { EmptyState } from './empty-state.tsx'
import { PageHead } from './page-head.tsx'

/** Replaces a page that threw an error; the rest of the application keeps working. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  if (error instanceof PageNotLoaded) return <UnloadedPage />
  return (
    <div role="alert">
      <PageHead title="This page broke" />
      <EmptyState
        title="Something went wrong in this page"
        action={
          <Group mt="sm">
            <Button onClick={reset}>Try again</Button>
            <ReloadButton />
          </Group>
        }
      >
        It is our fault, not yours. What was saved is safe. If it happens again, tell your administrator what you did,
        and this:
        <Code block mt="xs">
          {error instanceof Error ? error.message : String(error)}
        </Code>
      </EmptyState>
    </div>
  )
}

/** Shown when the code of a page could not be loaded, so that the user stays in the application. */
function UnloadedPage() {
  const router = useRouter()
  return (
    <div role="alert">
      <PageHead title="This page could not be loaded" />
      <EmptyState
        title="The server did not answer"
        action={
          <Group mt="sm">
            <Button onClick={() => void router.invalidate()}>Try again</Button>
            <ReloadButton />
          </Group>
        }
      >
        Try again in a moment, or go back to where you were: pages that you have already opened still work. If the
        server was updated in the meantime, reload.
      </EmptyState>
    </div>
  )
}

const ReloadButton = () => (
  <Button variant="default" onClick={() => window.location.reload()}>
    Reload
  </Button>
)
