package io.github.liquidscheduler.slurm.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The accounting of a private Slurm: {@code slurmdbd} and a MariaDB, on loopback and below the same
 * folder. Its tables are made from the files of Debian's {@code mariadb-server-core}.
 */
final class PrivateAccounting {

  private static final Path TABLES = Path.of("/usr/share/mysql");

  private final Path folder;
  private final String host;
  private final int port;
  private final int databasePort;

  PrivateAccounting(Path folder, List<Integer> ports) throws IOException {
    this.folder = folder;
    host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
    port = ports.getFirst();
    databasePort = ports.getLast();
  }

  /** Returns the lines of {@code slurm.conf} that name it and let its limits count. */
  List<String> lines() {
    return List.of(
        "AccountingStorageType=accounting_storage/slurmdbd",
        "AccountingStorageHost=127.0.0.1",
        "AccountingStoragePort=" + port,
        "AccountingStoragePass=" + folder.resolve("munge.socket"),
        "AccountingStorageTRES=gres/gpu",
        "AccountingStorageEnforce=associations,limits,qos");
  }

  /** Starts both daemons once munge is there, and adds the cluster. */
  void start(PrivateSlurm slurm) throws IOException {
    Path data = Files.createDirectory(folder.resolve("database"));
    List<String> options =
        List.of(
            "--no-defaults",
            "--user=" + System.getProperty("user.name"),
            "--datadir=" + data,
            "--lc-messages-dir=" + TABLES,
            "--innodb-log-file-size=8M",
            "--innodb-buffer-pool-size=16M");
    makeTables(options);
    slurm.daemon(
        "mariadbd",
        options,
        "--socket=" + folder.resolve("mariadb.socket"),
        "--pid-file=" + folder.resolve("mariadb.pid"),
        "--bind-address=127.0.0.1",
        "--port=" + databasePort,
        "--skip-grant-tables",
        "--innodb-flush-log-at-trx-commit=0");
    slurm.await("MariaDB listens", () -> Files.exists(folder.resolve("mariadb.socket")));
    Path file = folder.resolve("slurmdbd.conf");
    Files.writeString(file, configuration());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    slurm.daemon("slurmdbd", List.of(), "-D");
    slurm.await("slurmdbd answers", () -> hasAddedCluster(slurm));
  }

  private void makeTables(List<String> options) throws IOException {
    Path script = folder.resolve("tables.sql");
    Files.writeString(
        script,
        "CREATE DATABASE mysql;\nUSE mysql;\n"
            + Files.readString(TABLES.resolve("mysql_system_tables.sql"))
            + Files.readString(TABLES.resolve("mysql_system_tables_data.sql")));
    Process made =
        new ProcessBuilder(PrivateSlurm.command("mariadbd", options, "--bootstrap"))
            .redirectErrorStream(true)
            .redirectInput(script.toFile())
            .redirectOutput(folder.resolve("tables.log").toFile())
            .start();
    if (PrivateSlurm.exitStatus(made) != 0) {
      throw new IOException("MariaDB's tables were not made; see " + folder.resolve("tables.log"));
    }
  }

  private String configuration() {
    return """
    AuthType=auth/munge
    AuthInfo=socket=%1$s/munge.socket
    DbdHost=%2$s
    DbdAddr=127.0.0.1
    DbdPort=%3$d
    SlurmUser=%4$s
    StorageType=accounting_storage/mysql
    StorageHost=127.0.0.1
    StoragePort=%5$d
    StorageUser=%4$s
    StorageLoc=slurm
    PidFile=%1$s/slurmdbd.pid
    """
        .formatted(folder, host, port, System.getProperty("user.name"), databasePort);
  }

  private static boolean hasAddedCluster(PrivateSlurm slurm) {
    try {
      slurm.run("sacctmgr", "--immediate", "add", "cluster", "trial");
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
