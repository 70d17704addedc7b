import { Center, Container, Loader, Modal, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { onSignedOut } from './api/call.ts'
import { type Session, sessionQuery, signOut } from './api/session.ts'
import { FirstSteps } from './identity/sign-in/first-steps.tsx'
import { PasswordReset } from './identity/sign-in/password-reset.tsx'
import { SignIn } from './identity/sign-in/sign-in.tsx'
import { Shell } from './shell/shell.tsx'
import { ErrorFaults } from './ui/faults.tsx'
import { showErrorToast } from './ui/toasts.tsx'

/**
 * Shows the application to users who are signed in and have completed any required steps. When a session expires, the page
 * stays mounted behind the sign-in dialog, so that unsaved input is kept.
 */
export function Entrance() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const session = useQuery(sessionQuery)
  const [hasEnded, setHasEnded] = useState(false)
  const [activeUser, setActiveUser] = useState<string | null>(null)
  useEffect(() => onSignedOut(() => setHasEnded(true)), [])
  const applySession = (now: Session | null) => {
    queries.setQueryData(sessionQuery.queryKey, now)
    setHasEnded(false)
    if (!now) setActiveUser(null)
    if (path === '/sign-in') void navigate({ to: '/', replace: true })
  }
  if (path === '/password-reset') return <PasswordReset onDone={() => void navigate({ to: '/', replace: true })} />
  if (session.isPending) return <Loading />
  if (session.error) return <Unreachable error={session.error} />
  const { data } = session
  if (!data) return <SignIn onSignedIn={applySession} />
  const [limit] = data.limits
  const isSignedIn = limit === undefined && !hasEnded
  if (isSignedIn && activeUser !== data.user) setActiveUser(data.user)
  const signInForm =
    limit && !hasEnded ? (
      <FirstSteps key={limit} limit={limit} onDone={applySession} />
    ) : (
      <SignIn onSignedIn={applySession} isBack />
    )
  // A user whose session expired continues on the same page; everyone else starts at the sign-in page.
  if (activeUser !== data.user && !isSignedIn) return signInForm
  return (
    <>
      <Shell
        key={data.user}
        user={data.user}
        onSignOut={() => void signOut().then(() => applySession(null), showErrorToast)}
      />
      <SignInDialog isOpen={!isSignedIn}>{signInForm}</SignInDialog>
    </>
  )
}

/** Covers the page of a user whose session has expired. */
function SignInDialog({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => undefined}
      fullScreen
      withCloseButton={false}
      closeOnEscape={false}
      // Above every other dialog, because the page may have one open.
      zIndex={1000}
      attributes={{ content: { 'aria-label': 'Sign in again' } }}
    >
      {children}
    </Modal>
  )
}

const Loading = () => (
  <Center h="100vh">
    <Loader aria-label="Loading" />
  </Center>
)

const Unreachable = ({ error }: { readonly error: Error }) => (
  <Container component="main" size={480} py={80}>
    <ErrorFaults error={error} />
    <Text mt="md">Reload the page to try again. If the problem persists, contact your administrator.</Text>
  </Container>
)
