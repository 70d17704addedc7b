import { listOf } from './lists.ts'

/** Attacked sectors. */
export const SECTORS = listOf(`
  finance, government, energy, healthcare, telecommunications, manufacturing, defence, education, retail, transport,
  technology, media, logistics, aviation, maritime, pharmaceutical, insurance, mining, water, agriculture, hospitality,
  legal, construction, automotive, chemical, aerospace, gaming, non-profit, real estate, space`)

/** Countries of victims. */
export const COUNTRIES = listOf(`
  the Netherlands, Germany, France, Poland, Italy, Spain, Belgium, Sweden, Norway, Finland, Denmark, Estonia, Latvia,
  Lithuania, Austria, Switzerland, Portugal, Greece, Romania, Bulgaria, Hungary, Slovakia, Slovenia, Croatia, Ireland,
  Iceland, Czechia, Luxembourg, Malta, Cyprus, Canada, Mexico, Brazil, Argentina, Chile, Colombia, Peru, Uruguay, Japan,
  South Korea, Taiwan, Singapore, Malaysia, Thailand, Viet Nam, Indonesia, the Philippines, India, Nepal, Sri Lanka,
  Australia, New Zealand, South Africa, Kenya, Nigeria, Ghana, Egypt, Morocco, Tunisia, Côte d'Ivoire, Türkiye, Jordan,
  Qatar, Oman, Georgia, Armenia, Kazakhstan, Mongolia`)

/** Ways to attack. */
export const TECHNIQUES = listOf(`
  spearphishing, credential dumping, lateral movement, DLL side-loading, password spraying, process injection,
  living off the land, supply chain compromise, watering hole, drive-by download, command and control over DNS,
  web shell deployment, token theft, session hijacking, macro execution, HTML smuggling, callback phishing,
  domain fronting, fast flux, data exfiltration, double extortion, privilege escalation, defence evasion, log deletion,
  scheduled task abuse, registry run keys, boot persistence, container escape, cloud account takeover, consent phishing,
  SIM swapping, business e-mail compromise, search engine poisoning, malvertising, typosquatting, dependency confusion,
  cryptomining, denial of service, BGP hijacking, firmware tampering, voice phishing, QR code phishing, MFA fatigue`)

/** Pretexts of phishing messages. */
export const LURES = listOf(`
  an unpaid invoice, a parcel that waits, a new salary table, a court summons, a voice message, a shared document,
  a password that expires, a job offer, a conference invitation, a tax refund, a travel itinerary, a software update,
  a meeting recording, a delivery note, a supplier questionnaire, a vaccination appointment, a grant application,
  a customs declaration, a survey about working from home, a draft press release`)

/** Attacked platforms. */
export const PLATFORMS = listOf(`
  Windows, Linux, macOS, Android, iOS, network appliances, mail gateways, VPN concentrators, hypervisors, web servers,
  domain controllers, containers, cloud tenants, industrial controllers, point of sale terminals, backup servers,
  collaboration suites, code repositories, smart meters, medical devices`)

/** Sources of reports. */
export const REPORTERS = listOf(`
  a trusted partner, our sensors, the incident response team, a national CERT, a sector sharing group, a sandbox run,
  an open source report, a customer, the abuse desk of a provider, a vulnerability researcher, passive DNS,
  a honeypot, law enforcement, a dark web forum, the threat hunting team, an anonymous tip`)

/** Levels of confidence. */
export const JUDGEMENTS = listOf(`
  likely, possible, very likely, unlikely, almost certain, plausible, unconfirmed, a working hypothesis`)

/** Network protocols. */
export const PROTOCOLS = listOf(`
  HTTPS, DNS, HTTP, SMTP, SSH, SMB, RDP, LDAP, FTP, WebSocket, MQTT, Modbus, Kerberos, TLS, QUIC, ICMP, SNMP, WinRM`)

/** The months. */
export const MONTHS = listOf(`
  January, February, March, April, May, June, July, August, September, October, November, December`)
