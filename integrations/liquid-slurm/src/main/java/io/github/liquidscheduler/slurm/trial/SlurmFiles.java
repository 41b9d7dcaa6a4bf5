package io.github.liquidscheduler.slurm.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** The files from which the daemons of a private Slurm are started. */
record SlurmFiles(Path folder, PrivateSlurm.Shape shape) {

  /** What lets nodes without a process wait for jobs, as those of a cloud do. */
  private static final List<String> ASLEEP =
      List.of(
          "PrivateData=cloud",
          "SuspendTime=3600",
          "ResumeTimeout=3600",
          "ResumeRate=0",
          "SuspendRate=0",
          "ResumeProgram=/bin/true",
          "SuspendProgram=/bin/true");

  /** Writes them all. */
  void write() throws IOException {
    byte[] key = new byte[128];
    new SecureRandom().nextBytes(key);
    Files.write(folder.resolve("munge.key"), key);
    Files.setPosixFilePermissions(
        folder.resolve("munge.key"), PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(folder.resolve("state"));
    Files.createDirectories(folder.resolve("spool"));
    Files.writeString(folder.resolve("gres.conf"), devices());
    Files.writeString(folder.resolve("topology.conf"), topology());
    if (!shape.submitPlugin().isEmpty()) {
      Files.writeString(folder.resolve("job_submit.lua"), shape.submitPlugin());
    }
    Files.writeString(folder.resolve("slurm.conf"), configuration());
  }

  /** Returns the lines of GPUs: Slurm takes character devices only. */
  private String devices() throws IOException {
    StringBuilder lines = new StringBuilder("AutoDetect=off\n");
    for (int gpu = 0; gpu < shape.gpus(); gpu++) {
      Path device = folder.resolve("nvidia" + gpu);
      Process made = new ProcessBuilder("mknod", device.toString(), "c", "1", "3").start();
      Path known = PrivateSlurm.exitStatus(made) == 0 ? device : Path.of("/dev/tty" + gpu);
      lines.append(
          "NodeName=gpu[0001-%04d] Name=gpu Type=a100 File=%s%n".formatted(shape.nodes(), known));
    }
    return lines.toString();
  }

  private String topology() {
    StringBuilder lines = new StringBuilder();
    int leaves = 0;
    for (int first = 1; first <= shape.nodes(); first += shape.nodesPerLeaf()) {
      int last = Math.min(shape.nodes(), first + shape.nodesPerLeaf() - 1);
      lines.append("SwitchName=leaf%d Nodes=gpu[%04d-%04d]%n".formatted(leaves++, first, last));
    }
    return lines + "SwitchName=spine Switches=leaf[0-%d]%n".formatted(leaves - 1);
  }

  private String configuration() throws IOException {
    String user = System.getProperty("user.name");
    String host = InetAddress.getLocalHost().getHostName().split("\\.", 2)[0];
    List<Integer> ports = freePorts(shape.nodes() + 1);
    List<String> names = shape.names();
    List<String> lines = new ArrayList<>();
    lines.add(
        """
        ClusterName=trial
        SlurmctldHost=%1$s(127.0.0.1)
        SlurmctldPort=%4$d
        %5$s
        AuthType=auth/munge
        AuthInfo=socket=%3$s/munge.socket,cred_expire=5
        CredType=cred/munge
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        MpiDefault=none
        SlurmUser=%2$s
        SlurmdUser=%2$s
        StateSaveLocation=%3$s/state
        SlurmdSpoolDir=%3$s/spool/%%n
        SlurmctldPidFile=%3$s/slurmctld.pid
        SlurmdPidFile=%3$s/slurmd.%%n.pid
        JobCompType=jobcomp/filetxt
        JobCompLoc=%3$s/jobcomp
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU_Memory
        DefMemPerCPU=100
        SchedulerType=sched/backfill
        SchedulerParameters=bf_interval=5,sched_interval=5,batch_sched_delay=0,default_queue_depth=1000
        TopologyPlugin=topology/tree
        PreemptType=preempt/partition_prio
        PreemptMode=REQUEUE
        ReturnToService=2
        SlurmdTimeout=300
        InactiveLimit=0
        MinJobAge=300
        KillWait=2
        TreeWidth=65533
        Licenses=datalake:4
        GresTypes=gpu
        SlurmdParameters=config_overrides\
        """
            .formatted(host, user, folder, ports.getFirst(), loopbackOnly()));
    for (int node = 0; node < shape.nodes(); node++) {
      lines.add(
          "NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=64 RealMemory=512000 Gres=gpu:a100:%d State=%s"
              .formatted(
                  names.get(node),
                  host,
                  ports.get(node + 1),
                  shape.gpus(),
                  shape.isEmpty() ? "CLOUD" : "UNKNOWN"));
    }
    String partition = "PartitionName=%s Nodes=ALL MaxTime=INFINITE State=UP PriorityTier=%d%s";
    lines.add(partition.formatted("batch", 10, " Default=YES"));
    lines.add(partition.formatted("urgent", 20, ""));
    if (!shape.submitPlugin().isEmpty()) {
      lines.add("JobSubmitPlugins=lua");
    }
    lines.addAll(shape.lines());
    if (shape.isEmpty()) {
      lines.addAll(ASLEEP);
    }
    return String.join("\n", lines) + "\n";
  }

  /** Where another command runs the daemons, it says what they reach. */
  private String loopbackOnly() {
    return shape.launcher().isEmpty()
        ? "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny"
        : "# of a network of its own";
  }

  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }
}
