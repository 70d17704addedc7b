import { type Network, type Outbound, openOutbound, readNetwork } from '../../ports/outbound.ts'

/** The ways to language models, by who set the address. */
export interface ModelPorts {
  /** Calls what administrators set, like any other call. */
  readonly usual: Outbound
  /** Also calls this machine, where administrators name it: that is where Ollama runs. */
  readonly local: Outbound
  /** Calls what the operator of the server set. */
  readonly operator: Outbound
  /** Logs a request to a model when it is over. */
  note(request: NotedRequest): void
  close(): Promise<void>
}

/** What is logged of a request: never a text. */
export interface NotedRequest {
  /** Its id in `ai_requests`. */
  readonly request: string
  readonly user: number
  readonly feature: string
  readonly provider: string
  readonly model: string
  readonly outcome: string
  readonly prompt_tokens: number
  readonly answer_tokens: number
  readonly ms: number
  readonly entities: readonly string[]
}

const networks = (...texts: readonly string[]): Network[] =>
  texts.map(readNetwork).filter((network) => network !== undefined)

const THIS_MACHINE = networks('127.0.0.0/8', '::1')
const EVERYWHERE = networks('0.0.0.0/0', '::/0')

/** Opens the ports; `usual` belongs to the caller. */
export function openModelPorts(
  usual: Outbound,
  allowed: readonly Network[],
  note: ModelPorts['note'] = () => {},
): ModelPorts {
  const local = openOutbound([...allowed, ...THIS_MACHINE])
  const operator = openOutbound(EVERYWHERE)
  const close = async () => void (await Promise.all([local.close(), operator.close()]))
  return { usual, local, operator, note, close }
}

/** The port for an address that an administrator set. */
export const portFor = ({ usual, local }: ModelPorts, url: string): Outbound => (isThisMachine(url) ? local : usual)

/** Whether a URL names this machine. A name that merely resolves to it does not count. */
export function isThisMachine(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
