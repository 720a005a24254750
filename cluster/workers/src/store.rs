//! The location of checkpoints: a folder shared by all processes, or an object store given by a
//! URL.

use std::path::PathBuf;
use std::sync::Arc;
use std::{fmt, fs, io};

use futures_util::{StreamExt as _, TryStreamExt as _};
use grundy_base::{Diagnostic, Kind, message};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutPayload};
use tokio::runtime::Runtime;

/// A location for checkpoints.
#[derive(Clone)]
pub struct Store {
    /// The location as given by the user.
    name: String,
    objects: Arc<dyn ObjectStore>,
    /// Prefix of the names of all objects.
    root: Path,
    /// The folder, if the location is a folder.
    folder: Option<PathBuf>,
    runtime: Arc<Runtime>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// Opens a location. It is an object store if `name` is a URL such as `s3://bucket/folder`, and
    /// a folder otherwise. A missing folder is created.
    ///
    /// # Errors
    /// A folder that cannot be created, an invalid URL, or a URL scheme that this build does not
    /// support.
    pub fn open(name: &str) -> Result<Self, Diagnostic> {
        let failed = |why: &dyn fmt::Display| {
            let message = message!("{name}: {what}", name, what = why.to_string());
            Diagnostic::new(Kind::Io, message)
        };
        // The functions of the object store are asynchronous, and their callers here are not. So a
        // runtime with one thread runs the requests.
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        runtime.worker_threads(1).thread_name("checkpoints");
        let runtime = runtime.enable_all().build();
        let runtime = Arc::new(runtime.map_err(|error| failed(&error))?);
        let (scheme, rest) = name.split_once("://").unwrap_or(("file", name));
        let opened = match scheme {
            "file" => local(rest),
            #[cfg(feature = "s3")]
            "s3" | "s3a" => cloud::s3(name).map_err(OpenError::Store),
            #[cfg(feature = "gcs")]
            "gs" => cloud::gcs(name).map_err(OpenError::Store),
            #[cfg(feature = "azure")]
            "az" | "azure" | "abfs" | "abfss" => cloud::azure(name).map_err(OpenError::Store),
            _ => Err(OpenError::Kind),
        };
        let objects = opened.map_err(|why| match why {
            OpenError::Kind => Diagnostic::new(
                Kind::Io,
                message!(
                    "this program was built without support for checkpoints at {name}",
                    name
                ),
            )
            .help(message!(
                "build with the feature s3 for s3://, gcs for gs:// or azure for az://, or use a folder"
            )),
            OpenError::Folder(error) => Diagnostic::io(name, &error),
            OpenError::Store(error) => failed(&root_cause(&error)),
        })?;
        let folder = match scheme {
            "file" => "",
            _ => rest.split_once('/').map_or("", |(_, folder)| folder),
        };
        let root = Path::parse(folder.trim_end_matches('/'));
        let root = root.map_err(|error| failed(&error))?;
        Ok(Self {
            name: name.to_owned(),
            objects,
            root,
            folder: (scheme == "file").then(|| PathBuf::from(rest)),
            runtime,
        })
    }

    /// Returns the location as given by the user.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    fn path(&self, name: &str) -> Path {
        name.split('/').fold(self.root.clone(), Path::join)
    }

    /// Writes an object atomically. If this fails, the previous object of the same name is
    /// unchanged.
    pub(crate) fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), Diagnostic> {
        let path = self.path(name);
        let put = self.objects.put(&path, PutPayload::from(bytes));
        self.runtime
            .block_on(put)
            .map(|_| ())
            .map_err(|error| self.io_error(&error))
    }

    /// Reads an object of at most `most` bytes. Returns nothing if the object does not exist or is
    /// larger.
    pub(crate) fn get(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, Diagnostic> {
        let path = self.path(name);
        let found = self.runtime.block_on(async {
            let found = self.objects.get(&path).await?;
            if found.meta.size > most {
                return Ok(None);
            }
            Ok(Some(found.bytes().await?.to_vec()))
        });
        match found {
            Ok(bytes) => Ok(bytes),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.io_error(&error)),
        }
    }

    /// Returns the names of all objects in a folder.
    pub(crate) fn list(&self, folder: &str) -> Result<Vec<String>, Diagnostic> {
        let path = self.path(folder);
        let all = self.objects.list(Some(&path));
        let names = all.map_ok(|object| object.location.filename().map(str::to_owned));
        let names = self.runtime.block_on(names.boxed().try_collect::<Vec<_>>());
        let names = names.map_err(|error| self.io_error(&error))?.into_iter();
        Ok(names
            .flatten()
            .map(|name| format!("{folder}/{name}"))
            .collect())
    }

    /// Removes an object that is no longer needed. An error is ignored, because an unused object
    /// does no harm.
    pub(crate) fn remove(&self, name: &str) {
        let path = self.path(name);
        let _ = self.runtime.block_on(self.objects.delete(&path));
    }

    /// Removes temporary files of killed writers.
    ///
    /// The store for folders first writes to a file whose name ends with `#` and a number, and then
    /// renames it. `list` does not return such files. The caller must ensure that no other process
    /// writes at the same time, because its temporary file would be removed.
    pub(crate) fn sweep(&self, inner: &str) {
        let folder = self.folder.as_ref().map(|folder| folder.join(inner));
        let entries = folder.and_then(|folder| fs::read_dir(folder).ok());
        for entry in entries.into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().contains('#') {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn io_error(&self, error: &Error) -> Diagnostic {
        let message = message!(
            "{name}: {what}",
            name = &*self.name,
            what = root_cause(error)
        );
        Diagnostic::new(Kind::Io, message)
    }
}

/// Returns the innermost cause of an error of a store. The outer errors mostly repeat its text.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut root = error;
    while let Some(source) = root.source() {
        root = source;
    }
    root.to_string()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The reason why a location cannot be opened.
enum OpenError {
    /// This build does not support the URL scheme.
    Kind,
    Folder(io::Error),
    Store(Error),
}

/// Opens a folder as a store. A missing folder is created.
fn local(folder: &str) -> Result<Arc<dyn ObjectStore>, OpenError> {
    fs::create_dir_all(folder).map_err(OpenError::Folder)?;
    let objects = LocalFileSystem::new_with_prefix(folder).map_err(OpenError::Store)?;
    // A manifest must not reach the disk before its parts, so every write is synchronized.
    Ok(Arc::new(objects.with_fsync(true)))
}

/// Cloud stores. Credentials and other settings are read from the same environment variables as in
/// the tools of the providers.
#[cfg(any(feature = "s3", feature = "gcs", feature = "azure"))]
mod cloud {
    use std::sync::Arc;
    use std::time::Duration;

    use object_store::{BackoffConfig, Error, ObjectStore, RetryConfig};

    /// Returns the retry policy of requests. All workers wait during a retry, so the total time is
    /// limited to half a minute.
    fn retry_policy() -> RetryConfig {
        RetryConfig {
            backoff: BackoffConfig::default(),
            max_retries: 5,
            retry_timeout: Duration::from_secs(30),
        }
    }

    #[cfg(feature = "s3")]
    pub(super) fn s3(name: &str) -> Result<Arc<dyn ObjectStore>, Error> {
        let builder = object_store::aws::AmazonS3Builder::from_env().with_url(name);
        Ok(Arc::new(builder.with_retry(retry_policy()).build()?))
    }

    #[cfg(feature = "gcs")]
    pub(super) fn gcs(name: &str) -> Result<Arc<dyn ObjectStore>, Error> {
        let builder = object_store::gcp::GoogleCloudStorageBuilder::from_env().with_url(name);
        Ok(Arc::new(builder.with_retry(retry_policy()).build()?))
    }

    #[cfg(feature = "azure")]
    pub(super) fn azure(name: &str) -> Result<Arc<dyn ObjectStore>, Error> {
        let builder = object_store::azure::MicrosoftAzureBuilder::from_env().with_url(name);
        Ok(Arc::new(builder.with_retry(retry_policy()).build()?))
    }
}
