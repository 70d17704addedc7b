import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isInternal } from '../../../ports/outbound.ts'

const setOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/))

/**
 * What every machine contacts, with or without a sample: systems that update themselves, browsers that start, certificates that are
 * checked, names that are resolved. Reports list it next to what the sample did, and sometimes as an indicator.
 */
const ROUTINE_DOMAINS = setOf(`
  microsoft.com windows.com windowsupdate.com msftncsi.com msftconnecttest.com office.com office.net
  office365.com live.com bing.com bing.net msn.com msedge.net skype.com
  google.com gstatic.com googleapis.com gvt1.com google-analytics.com googletagmanager.com doubleclick.net
  youtube.com android.com chrome.com mozilla.org mozilla.com mozilla.net firefox.com apple.com icloud.com
  aaplimg.com adobe.com ubuntu.com debian.org akamai.net akamaiedge.net akadns.net akamaized.net digicert.com
  verisign.com symcb.com symcd.com globalsign.com globalsign.net sectigo.com usertrust.com comodoca.com
  entrust.net letsencrypt.org lencr.org pki.goog godaddy.com amazontrust.com identrust.com ntp.org
  root-servers.net`)

/** Where every user can store content: a URL there may be malicious, the domain is not. Services that show one's address as well. */
const SHARED_DOMAINS = setOf(`
  github.com githubusercontent.com gitlab.com bitbucket.org pastebin.com paste.ee rentry.co drive.google.com
  docs.google.com storage.googleapis.com firebasestorage.googleapis.com sites.google.com script.google.com
  dropbox.com dropboxusercontent.com box.com mediafire.com onedrive.live.com 1drv.ms sharepoint.com
  windows.net azureedge.net trafficmanager.net mega.nz mega.co.nz wetransfer.com discord.com discordapp.com telegram.org t.me
  telegra.ph steamcommunity.com x.com twitter.com facebook.com slack.com notion.so bit.ly tinyurl.com
  archive.org amazonaws.com cloudfront.net ipify.org ip-api.com ipinfo.io icanhazip.com ifconfig.me
  checkip.dyndns.org geoplugin.net cloudflare.com ipfs.io web.archive.org`)

/** Public resolvers, which samples and analysis machines ask alike. */
const RESOLVERS = setOf(`
  8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 149.112.112.112 208.67.222.222 208.67.220.220 4.2.2.1 4.2.2.2
  64.6.64.6 64.6.65.6 94.140.14.14 94.140.15.15 114.114.114.114 77.88.8.8 2001:4860:4860::8888
  2001:4860:4860::8844 2606:4700:4700::1111 2606:4700:4700::1001 2620:fe::fe`)

/**
 * What is known of a host without an analysis: `own`, an address or name of the analysis machine and its network; `routine`, contacted by every
 * machine; `shared`, a service where every user can store content.
 */
export function knownHost(host: string): 'own' | 'routine' | 'shared' | undefined {
  if (isIP(host) !== 0) return knownAddress(host)
  const labels = host.toLowerCase().replace(/\.$/, '').split('.').slice(-10)
  if (labels.length < 2 || ['local', 'localdomain', 'lan', 'home', 'internal', 'arpa'].includes(labels.at(-1) ?? ''))
    return 'own'
  const ends = labels.map((_, i) => labels.slice(i).join('.'))
  // The longest name decides: drive.google.com is shared, google.com routine.
  for (const end of ends) {
    if (SHARED_DOMAINS.has(end)) return 'shared'
    if (ROUTINE_DOMAINS.has(end)) return 'routine'
  }
  return undefined
}

const GROUPS = new Set(['multicast', 'broadcast'])

function knownAddress(address: string): 'own' | 'routine' | undefined {
  if (isIP(address) === 6 && address.includes('%')) return 'own'
  if (isInternal(address) || GROUPS.has(ipaddr.process(address).range())) return 'own'
  return RESOLVERS.has(ipaddr.process(address).toString()) ? 'routine' : undefined
}
