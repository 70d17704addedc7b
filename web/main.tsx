import './styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/queries.ts'
import { router } from './router.tsx'
import { theme, variables } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''
// The scroll lock of dialogs injects a style element, which reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const place = document.getElementById('root')
if (!place) throw new TypeError('The document has no #root element.')

createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
