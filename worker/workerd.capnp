# Runs the worker on workerd: `workerd serve workerd.capnp`. The build fills in the modules and puts this beside them.
# Settings come from the environment of the process; docs/edge.md lists them.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .edgegate),
    (name = "memories", worker = .memories),
    # A folder below the one workerd is started in, unless `-ddisk=FOLDER` names another. It must be there.
    (name = "disk", disk = (path = "memories", writable = true)),
    (name = "internet", network = (allow = ["public", "private", "local"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8787", http = (), service = "main")],
);

const edgegate :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
  # MODULES
  ],
  bindings = [
    (name = "API_KEY", fromEnvironment = "EDGEGATE_API_KEY"),
    (name = "UPSTREAM_URL", fromEnvironment = "EDGEGATE_UPSTREAM_URL"),
    (name = "UPSTREAM_KEY", fromEnvironment = "EDGEGATE_UPSTREAM_KEY"),
    (name = "MAX_BODY_BYTES", fromEnvironment = "EDGEGATE_MAX_BODY_BYTES"),
    (name = "MAX_STREAMS", fromEnvironment = "EDGEGATE_MAX_STREAMS"),
    (name = "MAX_SECONDS", fromEnvironment = "EDGEGATE_MAX_SECONDS"),
    (name = "USER_HEADER", fromEnvironment = "EDGEGATE_USER_HEADER"),
    (name = "MEMORIES", durableObjectNamespace = (className = "Memories", serviceName = "memories")),
  ],
);

# One object for each user, each with a SQLite file of its own. No Python in here.
const memories :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "memories.js", esModule = embed "memories.js")],
  durableObjectNamespaces = [(className = "Memories", uniqueKey = "edgegate-memories", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [(name = "MAX_MEMORIES", fromEnvironment = "EDGEGATE_MAX_MEMORIES")],
);
