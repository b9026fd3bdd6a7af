// The words that were rejected, by language and in documents: what to say, and what not to say instead of it.

/** The word to use, and a pattern of the words that it replaces. */
export type Rejected = Readonly<Record<string, RegExp>>;

/** Whole words, in any case. */
const words = (pattern: string) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${pattern})(?![\\p{L}\\p{M}])`, 'giu');

/** Anything that contains the pattern: for scripts without spaces, and for stems. */
const parts = (pattern: string) => new RegExp(pattern, 'giu');

export const rejected: Readonly<Record<string, Rejected>> = {
  en: {
    'sign in': words('log ?[io]n|login|log-in|logged|authenticat\\p{L}*'),
    'sign out': words('log ?out|log ?off|logout|sign off'),
    account: words('profile|identity'),
    provider: words('IdP|vendor'),
    administrator: words('admin|IT department|help ?desk'),
    extension: words('add-?on|plug-?in|app'),
    'the contraction: isn’t, can’t, you’re': words(
      'cannot|can not|(?:is|are|do|does|did|was|could|would|will) not|(?:you|they|we) are|there is',
    ),
    'try again': words('retry|re-?try'),
    respond: words('answer\\p{L}*'),
    'contact your administrator': words('tell|inform|ask your administrator(?! for)'),
    'this, the': words('the user|user'),
  },
  de: {
    anmelden: words(
      '(?:ein|aus)log\\p{L}*|(?:ein|aus)gelogg\\p{L}*|log-?in|log-?out|sign-?in|authentifizier\\p{L}*',
    ),
    Konto: words('accounts?|profil\\p{L}*|benutzer\\p{L}*'),
    'Anbieter, Anmeldedienst': words('provider\\p{L}*|dienstleister|(?<!Anmelde)dienst'),
    Administrator: words('admin|systemverwalter|verwalter'),
    Erweiterung: words('extension|add-?on|plug-?in|app'),
    Sitzung: words('session'),
    zulassen: words('erlaub\\p{L}*|gestatt\\p{L}*|genehmig\\p{L}*'),
    'erneut versuchen': words('noch ?mals?|noch einmal|wiederhol\\p{L}*|retry'),
    möglicherweise: words('vielleicht|eventuell'),
    Bericht: words('report|protokoll'),
    'Sie, Ihr': words('du|dich|dir|dein\\p{L}*|euch|euer|eure\\p{L}*'),
    geöffnet: words('offen'),
  },
  fr: {
    'se connecter': words('s’identifier|s’authentifier|identifiez|log-?in|authentifi\\p{L}*'),
    'se déconnecter': words('log-?out|délogu\\p{L}*'),
    'session ouverte: no participle that agrees with the user': words(
      '(?:vous êtes|êtes-vous) (?:dé)?connecté\\p{L}*|restez connecté\\p{L}*',
    ),
    compte: words('profil|identifiant'),
    fournisseur: words('prestataire|provider'),
    'contacter votre administrateur': words('prévenir|prévenez|informez|adressez-vous|admin|gestionnaire'),
    extension: words('module|greffon|plug-?in|application'),
    réessayer: words('essayez (?:de nouveau|à nouveau)|retentez|ré-essayez'),
    requête: words('demande'),
    rapport: words('compte rendu|report'),
    vous: words('tu|te|toi|ton|ta|tes'),
    'the noun: the name may have another gender': words('rouvrez-le|fermez-le'),
  },
  es: {
    'iniciar sesión': words(
      'ingres\\p{L}*|logu\\p{L}*|login|identif[ií]c\\p{L}*|entr(?:ar|a)|conect(?:ado|ada|arte)|iniciar la sesión',
    ),
    'cerrar sesión': words('salir|desconect\\p{L}*|cerrar la sesión'),
    cuenta: words('perfil|usuario'),
    'tu administrador': words('admin|responsable|el administrador'),
    'ponte en contacto con': words('avisa\\p{L}*|contact(?:a|e|ar)|consulta'),
    extensión: words('complemento|plug-?in|aplicación'),
    'ha finalizado': words('ha caducado|expir\\p{L}*|venci\\p{L}*'),
    'vuelve a intentarlo': words('inténtalo|prueba (?:otra vez|de nuevo)|intente\\p{L}*|inténtelo'),
    permitir: words('autoriz\\p{L}*|conced(?:e|er)'),
    'tú, tu': words('usted|ustedes|su|sus|vosotros|vuestr\\p{L}*|vos'),
    'no tiene la hora correcta': words('en hora'),
    ventana: words('pestaña|cuadro'),
  },
  pt_BR: {
    'fazer login': words(
      'logar|logad\\p{L}*|entrar|entre(?! em contato| as)|iniciar sessão|conect(?:ado|ada)|efetuar|autentic\\p{L}*',
    ),
    sair: words('log-?out|desconect\\p{L}*|deslog\\p{L}*|saiu'),
    'sessão aberta': words('fez login|login feito|logado'),
    conta: words('perfil|usuário'),
    'o administrador': words('admin|seu administrador|responsável'),
    'entre em contato com': words('avis\\p{L}*|fale|contat(?:e|ar)|consulte'),
    extensão: words('complemento|plug-?in|aplicativo|app'),
    'de novo': words('novamente|outra vez'),
    'foi encerrada': words('expirou|terminou'),
    permitir: words('autoriz\\p{L}*'),
    'você, sua': words('tu|teu|tua|vós|vosso'),
    'anônima, privativa': words('privad[ao]s?'),
    janela: words('aba|guia'),
  },
  ja: {
    サインイン: parts('ログイン|ログオン|ログ イン|サイン イン'),
    サインアウト: parts('ログアウト|ログオフ|サイン アウト'),
    ブラウザー: parts('ブラウザ(?!ー)'),
    プロバイダー: parts('プロバイダ(?!ー)|提供元'),
    ウィンドウ: parts('ウインドウ|窓'),
    拡張機能: parts('アドオン|プラグイン|エクステンション'),
    管理者にお問い合わせください: parts('ご連絡|連絡してください|アドミン'),
    'もう一度お試しください、再試行': parts('やり直しをしてください|リトライ|再度'),
    'です、ます': parts('である。|だ。|[^ま]した方が'),
    'no form of address': parts('あなた|君|お客様|ユーザ'),
    'full-width marks': /[:;,.!?](?!\w)/gu,
  },
  zh_CN: {
    登录: parts('登陆|登入|签到|登錄'),
    退出登录: parts('登出|注销|退出账号|签退'),
    账号: parts('帐号|帐户|账户|用户'),
    提供商: parts('供应商|服务商|提供方|提供者'),
    管理员: parts('管理者|网管'),
    扩展程序: parts('插件|附加组件|扩展(?!程序)'),
    '使用 … 登录、使用 … 继续': parts('通过'),
    联系管理员: parts('告知|通知|咨询'),
    重试: parts('再试|再次尝试'),
    您: parts('你'),
    'full-width marks': /[:;,.!?()]/gu,
  },
  ar: {
    'تسجيل الدخول': parts('الولوج|تسجيل دخولك|ولوج'),
    'تسجيل الخروج': parts('تسجيل الانصراف|إنهاء الجلسة'),
    موفّر: parts('مزوّ?د|مقدّ?م'),
    مشرف: parts('مدير|مسؤول|إداري'),
    'التواصل مع المشرف': parts('إبلاغ|الاتصال بالمشرف'),
    إضافة: parts('ملحق|امتداد|تطبيق|برنامج'),
    'إعادة المحاولة': words('حاول|أعِ?د المحاولة|كرّ?ر'),
    يُرجى: parts('من فضلك|الرجاء|(?<!يُ)رجى'),
    'لا تزال مفتوحة': parts('ما زال|(?<!ل)تبقى'),
    'من المرجَّح أنّ': parts('على الأرجح|ربما|المرجَّح أن[ هـ]'),
    'Arabic marks': /[,;?]/gu,
  },
};

/**
 * The words that documents and tools avoid, because the field has others. They speak to developers, so the words that the popup
 * avoids for everyone, such as "authentication", are theirs.
 */
export const rejectedInDocuments: Rejected = {
  'require, ask for, need': words('wants|wanted'),
  'expire (a session ends, a token expires)': words(
    '(?:tokens?|codes?|cookies?|certificates?) (?:ends?|ended)(?! (?:the|all) session)',
  ),
  'respond, response': words('(?<![.])answer\\p{L}*'),
  'isn’t a, aren’t any': words('(?<!there )(?:is|are|was) no(?! longer| more| one| way)'),
  'set, list, specify': words('(?:to|then|and|must|or) name (?:the|your|it|them|each|only|hosts?|its)'),
  'different, additional, more': words('further|(?:is|are) another|another one than|another than'),
  'pending revocation, unencrypted, and other words of the field': words('debts?|in clear|vault|first face'),
  'the contraction: isn’t, can’t, it’s': words(
    'cannot|can not|(?:is|are|do|does|did|was|were|has|have|could|would|will|should) not',
  ),
  email: words('e-mails?'),
  'the US spelling': words(
    'licen[c]es?|colou[r]s?|behaviou[r]|favou[r]\\p{L}*|\\p{L}*(?:organ|recogn|author)is(?:e|ed|es|ing|ation)|cancell(?:ed|ing)|labelled',
  ),
  'also, even, next to': words('also with|besides|beside|all the same|anyhow'),
  'also, without a comma': /, too\b(?! (?:large|long|small|short|much|many|old|new|early|late))/giu,
  'no one, who': words('nobody|whom'),
};
