//! `praxis-server`: the agent service and its pages over HTTP. `--help` says what it takes.

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::env;
    use std::io::{self, Write};
    use std::process::ExitCode;

    use praxis::server::command_line::{self, Command, USAGE};
    use praxis::server::{Options, Server};
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::prelude::*;

    pub fn main() -> ExitCode {
        let options = match command_line::read(env::args_os(), |name| env::var_os(name)) {
            Ok(Command::Serve(options)) => *options,
            Ok(Command::Help) => {
                let _ = writeln!(io::stdout(), "{USAGE}");
                return ExitCode::SUCCESS;
            }
            Err(error) => return fail(&error),
        };
        let levels = env::var("RUST_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
        let levels = levels.unwrap_or_else(|| Targets::new().with_default(tracing::Level::INFO));
        let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
        tracing_subscriber::registry().with(lines).with(levels).init();
        match tokio::runtime::Runtime::new() {
            Ok(runtime) => runtime.block_on(serve(options)),
            Err(error) => fail(&error),
        }
    }

    async fn serve(options: Options) -> ExitCode {
        let mut stop = match Signals::listen() {
            Ok(signals) => signals,
            Err(error) => return fail(&error),
        };
        if !options.dist.join("index.html").is_file() {
            tracing::warn!(
                "there are no pages in {}; `cargo xtask dist` builds them",
                options.dist.display()
            );
        }
        let server = match Server::start(options).await {
            Ok(server) => server,
            Err(error) => return fail(&error),
        };
        let said = writeln!(io::stdout(), "praxis-server at http://{}", server.address());
        if let Err(error) = said.and_then(|()| io::stdout().flush()) {
            tracing::warn!(%error, "nobody reads where it listens");
        }
        stop.next().await;
        tracing::info!("stopping");
        let _ = server.stop().await;
        ExitCode::SUCCESS
    }

    fn fail(error: &dyn std::fmt::Display) -> ExitCode {
        let _ = writeln!(io::stderr(), "praxis-server: {error}");
        ExitCode::from(2)
    }

    /// What asks the program to stop.
    struct Signals {
        #[cfg(unix)]
        terminate: tokio::signal::unix::Signal,
    }

    impl Signals {
        fn listen() -> io::Result<Self> {
            Ok(Self {
                #[cfg(unix)]
                terminate: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?,
            })
        }

        async fn next(&mut self) {
            #[cfg(unix)]
            tokio::select! {
                _ = self.terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            #[cfg(not(unix))]
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}
