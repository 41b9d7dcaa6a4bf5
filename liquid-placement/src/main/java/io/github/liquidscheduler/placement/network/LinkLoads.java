package io.github.liquidscheduler.placement.network;

import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.ClusterView;
import io.github.liquidscheduler.cluster.DomainId;
import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.cluster.Placement;
import io.github.liquidscheduler.job.Communication;
import io.github.liquidscheduler.job.JobId;
import io.github.liquidscheduler.job.JobSpec;
import io.github.liquidscheduler.resource.Bandwidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which running job sends how many bytes per second over which link. A job counts with what it
 * would send if it were alone, whoever was there first, so adding and removing are exact inverses
 * in any order. Not thread-safe.
 */
public final class LinkLoads {

  private static final int[] NOBODY = {};

  private final NetworkModel model;
  private final LinkTable links;
  private final long[] load;
  private final long[] background;
  private final int[] count;
  private final int[][] jobsOn;
  private final SenderSlots senders;
  private @Nullable Workspace workspace;

  private LinkLoads(NetworkModel model, SenderSlots senders) {
    this.model = model;
    this.senders = senders;
    links = model.links();
    load = new long[links.size()];
    background = new long[links.size()];
    count = new int[links.size()];
    jobsOn = new int[links.size()][];
    Arrays.fill(jobsOn, NOBODY);
  }

  /** Makes loads of {@code before}, which are not used any more. */
  private LinkLoads(LinkLoads before, NetworkModel model, Splice splice) {
    this.model = model;
    links = model.links();
    senders = before.senders;
    senders.change(sender -> sender.over(splice));
    load = splice.of(before.load);
    background = splice.of(before.background);
    count = splice.of(before.count);
    jobsOn = splice.of(before.jobsOn, new int[links.size()][]);
    for (int link = splice.at(); link < splice.at() + splice.added(); link++) {
      jobsOn[link] = NOBODY;
    }
  }

  /** Returns loads in which nobody sends anything. */
  public static LinkLoads none(NetworkModel model) {
    return new LinkLoads(model, new SenderSlots());
  }

  /**
   * Returns loads as a view shows them, without knowing whose they are: each loaded link counts as
   * shared with one other; O(nodes).
   */
  public static LinkLoads shownBy(ClusterView view, NetworkModel model) {
    LinkLoads loads = none(model);
    ClusterTopology topology = model.topology();
    for (int node = 0; node < loads.links.nodes(); node++) {
      loads.setBackground(node, view.nicLoad(topology.nodes().get(node).id()));
    }
    for (int domain = 0; domain < topology.domains().size(); domain++) {
      Bandwidth uplink = view.uplinkLoad(topology.domains().get(domain).id());
      loads.setBackground(loads.links.nodes() + domain, uplink);
    }
    return loads;
  }

  /** Sets what others than the jobs added send over a link. */
  void setBackground(int link, Bandwidth bandwidth) {
    background[link] = bandwidth.bytesPerSecond();
    load[link] = bandwidth.bytesPerSecond();
    count[link] = bandwidth.bytesPerSecond() > 0 ? 1 : 0;
  }

  /** Returns loads equal to these that go their own way from here; O(nodes + jobs). */
  public LinkLoads copy() {
    LinkLoads copy = new LinkLoads(model, senders.copy());
    System.arraycopy(load, 0, copy.load, 0, load.length);
    System.arraycopy(background, 0, copy.background, 0, load.length);
    System.arraycopy(count, 0, copy.count, 0, load.length);
    Arrays.setAll(copy.jobsOn, link -> jobsOn[link].clone());
    return copy;
  }

  /**
   * Returns the same loads in a network with other nodes or domains; O(links + links crossed).
   *
   * @param changed the other network, in which the links are that anything crosses
   * @param before for each node of that network its position in this one; -1 if it is not there
   */
  public LinkLoads in(NetworkModel changed, int[] before) {
    int[] linkBefore = linksBefore(changed.links(), before);
    int[] linkNow = new int[links.size()];
    for (int link = 0; link < linkBefore.length; link++) {
      if (linkBefore[link] >= 0) {
        linkNow[linkBefore[link]] = link;
      }
    }
    LinkLoads moved = new LinkLoads(changed, senders.copy(sender -> sender.over(linkNow)));
    for (int link = 0; link < linkBefore.length; link++) {
      if (linkBefore[link] >= 0) {
        moved.load[link] = load[linkBefore[link]];
        moved.background[link] = background[linkBefore[link]];
        moved.count[link] = count[linkBefore[link]];
        moved.jobsOn[link] = jobsOn[linkBefore[link]].clone();
      }
    }
    return moved;
  }

  /**
   * Returns the same loads in a network with one node more or less and the same domains; these are
   * not used any more. O(links + links crossed), most of it the moving of tables.
   *
   * @param changed the other network
   * @param splice what makes of this network's nodes those of the other; nobody sends over what
   *     goes
   */
  public LinkLoads in(NetworkModel changed, Splice splice) {
    return new LinkLoads(this, changed, splice);
  }

  private int[] linksBefore(LinkTable changed, int[] before) {
    int[] links = Arrays.copyOf(before, changed.size());
    for (int link = changed.nodes(); link < links.length; link++) {
      DomainId domain = changed.topology().domains().get(link - changed.nodes()).id();
      links[link] = this.links.topology().contains(domain) ? this.links.domainLink(domain) : -1;
    }
    return links;
  }

  /**
   * Adds what a job sends from where it runs; O(links crossed).
   *
   * @throws IllegalStateException if the job was added already
   */
  public void add(Traffic traffic, TaskCounts counts) {
    if (senders.slotOf(traffic.job()) >= 0) {
      throw new IllegalStateException(
          "the traffic of job '" + traffic.job() + "' is there already");
    }
    LinkSender sender = LinkSender.of(model, traffic, counts);
    int slot = senders.add(sender);
    if (workspace != null) {
      workspace.leave(slot);
    }
    for (int i = 0; i < sender.links().length; i++) {
      int link = sender.links()[i];
      load[link] += sender.bytesPerSecond()[i];
      join(link, slot);
    }
  }

  /** Adds what a job sends, if it sends anything, from where it is placed; O(tasks). */
  public void add(JobSpec job, Placement placement) {
    if (!(job.communication() instanceof Communication.None)) {
      add(Traffic.of(job), TaskCounts.of(links.topology(), job, placement));
    }
  }

  /** Removes what a job sends if it was added; as {@link #remove}. */
  public void removeIfAdded(JobId job) {
    if (!senders.isEmpty() && senders.slotOf(job) >= 0) {
      remove(job);
    }
  }

  /**
   * Removes what a job sends; O(links crossed x jobs on them).
   *
   * @throws IllegalStateException if the job was not added
   */
  public void remove(JobId job) {
    int slot = senders.slotOf(job);
    if (slot < 0) {
      throw new IllegalStateException("the traffic of job '" + job + "' is not there");
    }
    LinkSender sender = sender(slot);
    if (workspace != null) {
      workspace.leave(slot);
    }
    for (int i = 0; i < sender.links().length; i++) {
      int link = sender.links()[i];
      load[link] -= sender.bytesPerSecond()[i];
      leave(link, slot);
    }
    senders.remove(job);
  }

  /**
   * Returns what jobs send over the network card of a node, in each direction.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public Bandwidth nicLoad(NodeId node) {
    return new Bandwidth(load[links.topology().position(node)]);
  }

  /** Returns the bytes per second over the network card of the node at a position. */
  public long nicLoad(int node) {
    return load[node];
  }

  /**
   * Returns what jobs send over the uplink of a domain, in each direction.
   *
   * @throws IllegalArgumentException if there is no such domain
   */
  public Bandwidth uplinkLoad(DomainId domain) {
    return new Bandwidth(load[links.domainLink(domain)]);
  }

  /** Returns the network whose links these are. */
  public NetworkModel model() {
    return model;
  }

  /** Returns whether no job was added. */
  boolean isEmpty() {
    return senders.isEmpty();
  }

  /** Returns the rate that a candidate job gets: what is left, but at least a fair share. */
  double left(int link) {
    double rate = links.rate(link);
    return count[link] == 0 ? rate : Math.max(rate - load[link], rate / (count[link] + 1));
  }

  /** Returns the jobs that send over the link, in the order in which they were added. */
  List<JobId> jobsOn(int link) {
    List<JobId> jobs = new ArrayList<>();
    for (int i = 0; i < jobsHere(link); i++) {
      jobs.add(sender(jobsOn[link][i]).job());
    }
    return jobs;
  }

  /** Returns where candidates beside these loads are worked out, one at a time. */
  Workspace workspace() {
    if (workspace == null) {
      workspace = new Workspace(this);
    }
    return workspace;
  }

  /**
   * Returns by which part the transfers of those on a link take longer beside a candidate job.
   *
   * @param computeSeconds what the candidate job computes in one iteration: it sends at most its
   *     bytes in that time
   */
  double slower(int link, double bytes, double computeSeconds) {
    double rate = links.rate(link);
    double wanted = Math.min(rate, bytes / computeSeconds);
    if (wanted == 0 || Double.isInfinite(rate)) {
      return 0;
    }
    double before = Math.min((double) load[link], rate);
    double after = Math.max(rate - wanted, rate * count[link] / (count[link] + 1));
    return Math.max(0, before / after - 1);
  }

  /** Returns the number of slots, of which some may have no job. */
  int senders() {
    return senders.size();
  }

  /** Returns what the job of a slot sends. */
  LinkSender sender(int slot) {
    return senders.get(slot);
  }

  /** Returns the slot of one of the {@link #jobsHere} jobs on a link. */
  int slotOn(int link, int number) {
    return jobsOn[link][number];
  }

  /** Returns the number of jobs that send over a link. */
  int jobsHere(int link) {
    return background[link] > 0 ? count[link] - 1 : count[link];
  }

  private void join(int link, int slot) {
    int here = jobsHere(link);
    if (here == jobsOn[link].length) {
      jobsOn[link] = Arrays.copyOf(jobsOn[link], Math.max(4, 2 * here));
    }
    jobsOn[link][here] = slot;
    count[link]++;
  }

  private void leave(int link, int slot) {
    int[] jobs = jobsOn[link];
    int at = 0;
    while (jobs[at] != slot) {
      at++;
    }
    System.arraycopy(jobs, at + 1, jobs, at, jobsHere(link) - at - 1);
    count[link]--;
  }
}
